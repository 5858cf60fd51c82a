import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { sha256OfFile } from '../../runtime/publish-folder.ts';

/** What became of a log that was written. */
export type WrittenLog = { readonly records: number; readonly bytes: number; readonly sha256: string };

/** Lines are handed on in pieces of about this many characters. */
const PIECE_LENGTH = 65_536;

/** Write lines, one JSON object each, into a compressed file. The same lines give the same bytes. */
export const writeLog = async (path: string, lines: AsyncIterable<string>): Promise<WrittenLog> => {
  let records = 0;
  async function* pieces(): AsyncGenerator<string> {
    let piece = '';
    for await (const line of lines) {
      records += 1;
      piece += `${line}\n`;
      if (piece.length < PIECE_LENGTH) continue;
      yield piece;
      piece = '';
    }
    if (piece !== '') yield piece;
  }
  await pipeline(Readable.from(pieces()), createGzip(), createWriteStream(path, { mode: 0o600 }));
  return { records, bytes: (await stat(path)).size, sha256: await sha256OfFile(path) };
};

/** Logs of ours compress ten- to thirtyfold. What unpacks to more than this was made to do harm. */
const EXPANSION_MAX = 300;
const UNPACKED_FREE_LENGTH = 32 * 1024 * 1024;

/** A line beyond this is no record of ours, and is not read into memory. */
const LINE_LENGTH_MAX = 16_777_216;

/** The objects of a log, one after the other. @throws {SyntaxError} for what is no log of lines of JSON */
export async function* readLog(path: string): AsyncGenerator<unknown> {
  const source = createReadStream(path);
  const text = createGunzip();
  source.on('error', (error) => text.destroy(error));
  source.pipe(text).setEncoding('utf8');
  let rest = '';
  let length = 0;
  for await (const piece of text) {
    length += (piece as string).length;
    if (length > UNPACKED_FREE_LENGTH && length > EXPANSION_MAX * text.bytesWritten)
      throw new SyntaxError(`it unpacks to more than ${EXPANSION_MAX} times its size`);
    const lines = `${rest}${piece as string}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_LENGTH_MAX) throw new SyntaxError('a line is too long');
    for (const line of lines) yield JSON.parse(line) as unknown;
  }
  if (rest !== '') throw new SyntaxError('the last line has no end');
}
