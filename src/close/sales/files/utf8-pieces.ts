import { notText } from './file-errors.ts';
import { openBytes } from './open-bytes.ts';
import type { SurveyedFile } from './survey-file.ts';
import { ENCODING_NAMES } from './text-form.ts';

/** The text of a surveyed file as pieces of UTF-8, without a byte order mark. */
export async function* utf8Pieces(file: SurveyedFile): AsyncGenerator<Buffer> {
  if (file.form.kind !== 'text') throw notText(file.place, 'it is a workbook');
  const { encoding, markBytes } = file.form;
  const bytes = withoutFirst(openBytes(file), markBytes);
  if (encoding === 'utf-8') {
    yield* bytes;
    return;
  }
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  try {
    for await (const piece of bytes) yield Buffer.from(decoder.decode(piece, { stream: true }));
    yield Buffer.from(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw notText(file.place, `it begins as ${ENCODING_NAMES[encoding]} text and goes on as something else`);
  }
}

/** Leave out the first bytes of a sequence of pieces. */
export async function* withoutFirst(pieces: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const piece of pieces) {
    if (left === 0) yield piece;
    else if (piece.length > left) yield piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}
