import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { beyondLimit, readingError } from './file-errors.ts';
import { EXPANSION_MAX, sizeText, UNPACKED_BYTES_MAX, UNPACKED_FREE_BYTES } from './limits.ts';
import { zipMemberBytes } from './zip-archive.ts';

/** One file of an export on disk: plain, compressed, or a member of a ZIP archive. */
export type FileSource = {
  /** Path for people: `exports/orders.csv`, or `exports/october.zip/orders.csv` for a member. */
  readonly name: string;
  /** The same as an absolute path, for messages. */
  readonly place: string;
  /** The file on disk, or the archive it is in. */
  readonly path: string;
  readonly packing: Packing;
};

/** A byte range of a file: `from` inclusive, `to` exclusive. */
export type ByteRange = { readonly from: number; readonly to: number };

export type Packing =
  | { readonly kind: 'none' }
  | { readonly kind: 'gzip' }
  | { readonly kind: 'zip-member'; readonly member: string };

const PIECE_BYTES = 256 * 1024;
/** Size of the first piece of an unpacked file, which is usually enough to find the header. */
const FIRST_BYTES = 64 * 1024;

/**
 * Read the unpacked bytes of a file, lazily and as often as needed. Each piece is valid only until the next one is
 * requested, since a large file passes through one small buffer.
 *
 * @param range the part to read of an unpacked file; packed files are read completely
 * @throws {ExportError} when the file is missing, unreadable, damaged, or exceeds the limits
 */
export async function* openBytes(
  { place: name, path, packing }: FileSource,
  range?: ByteRange,
): AsyncGenerator<Buffer> {
  try {
    if (packing.kind === 'none') {
      yield* plainBytes(path, range);
    } else if (packing.kind === 'gzip') {
      const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
      // An error in either stream also ends the other, and so reaches the reader of the bytes.
      pipeline(createReadStream(path), gunzip, () => {});
      yield* bounded(gunzip, name, () => gunzip.bytesWritten);
    } else {
      const packed = { value: 0 };
      yield* bounded(zipMemberBytes(path, name, packing.member, packed), name, () => packed.value);
    }
  } catch (error) {
    throw readingError(error, name);
  }
}

/** While a piece is used, the next one is read into the other buffer; only the first is read by itself. */
async function* plainBytes(
  path: string,
  { from, to }: ByteRange = { from: 0, to: Number.POSITIVE_INFINITY },
): AsyncGenerator<Buffer> {
  const file = await open(path);
  let reading: Promise<unknown> = Promise.resolve();
  const readInto = (buffer: Buffer, at: number) => {
    const read = file.read(buffer, 0, Math.min(buffer.length, to - at), at);
    // A failure surfaces where the piece is awaited.
    reading = read.catch(() => {});
    return read;
  };
  try {
    const first = await readInto(Buffer.allocUnsafe(FIRST_BYTES), from);
    if (first.bytesRead === 0) return;
    let at = from + first.bytesRead;
    yield first.buffer.subarray(0, first.bytesRead);
    if (at >= to) return;
    let [used, free] = [Buffer.allocUnsafe(PIECE_BYTES), Buffer.allocUnsafe(PIECE_BYTES)];
    let next = readInto(free, at);
    while (at < to) {
      const { bytesRead, buffer } = await next;
      if (bytesRead === 0) return;
      at += bytesRead;
      [used, free] = [free, used];
      if (at < to) next = readInto(free, at);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await reading;
    await file.close();
  }
}

async function* bounded(
  pieces: AsyncIterable<Buffer>,
  name: string,
  packedBytes: () => number,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > UNPACKED_BYTES_MAX)
      throw beyondLimit(name, `it unpacks to more than ${sizeText(UNPACKED_BYTES_MAX)}`);
    if (bytes > UNPACKED_FREE_BYTES && bytes > EXPANSION_MAX * packedBytes())
      throw beyondLimit(name, `it unpacks to more than ${EXPANSION_MAX} times its size`);
    yield piece;
  }
}
