import { openBytes } from '../../../sales/files/open-bytes.ts';
import type { SourceFile } from '../reading/source-file.ts';

/**
 * Whether parts of a file can be read separately: uncompressed text in which each byte of a line end is a single byte.
 * Other files are read as a whole.
 */
export const isDivisible = ({ form, packing }: SourceFile): boolean =>
  packing.kind === 'none' &&
  form.kind === 'text' &&
  (form.encoding === 'utf-8' || form.encoding === 'windows-1252');

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Returns the byte offset of a line, counting lines from a known one, as records do; `undefined` if the file ends
 * before it.
 */
export const placeOfLine = async (
  file: SourceFile,
  from: { readonly at: number; readonly line: number },
  wanted: number,
): Promise<number | undefined> => {
  let { at, line } = from;
  let isBehindReturn = false;
  for await (const piece of openBytes(file, { from: at, to: file.bytes })) {
    const hasReturns = isBehindReturn || piece.includes(CARRIAGE_RETURN);
    for (let index = 0; index < piece.length; index += 1) {
      if (!hasReturns && line < wanted) {
        const end = piece.indexOf(LINE_FEED, index);
        if (end === -1) break;
        index = end;
      }
      const byte = piece[index];
      const isSecond = isBehindReturn && byte === LINE_FEED;
      if (line === wanted && !isSecond) return at + index;
      isBehindReturn = byte === CARRIAGE_RETURN;
      if (isBehindReturn || (byte === LINE_FEED && !isSecond)) line += 1;
    }
    at += piece.length;
  }
  return undefined;
};
