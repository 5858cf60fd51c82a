import { StringDecoder } from 'node:string_decoder';
import { notText } from './file-errors.ts';
import { openBytes } from './open-bytes.ts';
import type { SurveyedFile } from './survey-file.ts';
import { ENCODING_NAMES, type Encoding } from './text-form.ts';

/** The text of a surveyed file, a piece at a time, without a byte order mark. */
export async function* textPieces(file: SurveyedFile): AsyncGenerator<string> {
  if (file.form.kind !== 'text') throw notText(file.place, 'it is a workbook');
  const { encoding } = file.form;
  const decoder = encoding === 'utf-8' ? utf8Decoder() : strictDecoder(encoding);
  let isFirst = true;
  try {
    for await (const bytes of openBytes(file)) {
      const text = decoder.write(bytes);
      yield isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text;
      isFirst = false;
    }
    yield decoder.end();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const rule = `it begins as ${ENCODING_NAMES[encoding]} text and goes on as something else`;
    throw notText(file.place, rule, error);
  }
}

type Decoder = { readonly write: (bytes: Buffer) => string; readonly end: () => string };

/** Many times faster than a strict one; the survey has made sure that the text is valid. */
const utf8Decoder = (): Decoder => {
  const decoder = new StringDecoder('utf8');
  return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() };
};

const strictDecoder = (encoding: Exclude<Encoding, 'utf-8'>): Decoder => {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  return {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  };
};
