import { notText } from './file-errors.ts';
import { openBytes } from './open-bytes.ts';
import { ENCODING_NAMES, type SurveyedFile } from './survey-file.ts';

/** The text of a surveyed file as UTF-8, a piece at a time. A piece is good until the next one is asked for. */
export async function* utf8Pieces(file: SurveyedFile): AsyncGenerator<Buffer> {
  if (file.form.kind !== 'text') throw notText(file.place, 'it is a workbook');
  const { encoding } = file.form;
  // The survey has made sure that it is valid.
  if (encoding === 'utf-8') return yield* openBytes(file);
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  try {
    for await (const bytes of openBytes(file)) yield Buffer.from(decoder.decode(bytes, { stream: true }));
    yield Buffer.from(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const rule = `it begins as ${ENCODING_NAMES[encoding]} text and goes on as something else`;
    throw notText(file.place, rule, error);
  }
}
