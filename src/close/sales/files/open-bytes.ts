import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { beyondLimit, readingError } from './file-errors.ts';
import { EXPANSION_MAX, sizeText, UNPACKED_BYTES_MAX, UNPACKED_FREE_BYTES } from './limits.ts';
import { zipMemberBytes } from './zip-archive.ts';

/** One file of an export as it lies on disk: by itself, compressed, or a member of a ZIP archive. */
export type FileSource = {
  /** As a person finds it: `exports/orders.csv`, or `exports/october.zip/orders.csv` for a member. */
  readonly name: string;
  /** The same from the root of the file system, for messages. */
  readonly place: string;
  /** The file on disk, or the archive it is in. */
  readonly path: string;
  readonly packing: Packing;
};

/** Bytes of a file, from one place to before another. */
export type ByteRange = { readonly from: number; readonly to: number };

export type Packing =
  | { readonly kind: 'none' }
  | { readonly kind: 'gzip' }
  | { readonly kind: 'zip-member'; readonly member: string };

const PIECE_BYTES = 256 * 1024;

/**
 * The bytes of a file, unpacked. It may be opened as often as needed, and nothing is read that no one asks for. A
 * piece is good until the next one is asked for: all of a large file passes through one small buffer.
 *
 * @param range what is wanted of a file that lies by itself; what is packed is read from end to end
 * @throws {ExportError} when it is missing, unreadable, damaged, or comes to more than the stated limits
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
      // An error of either part ends the other with it, and so reaches anyone who reads the bytes.
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

async function* plainBytes(
  path: string,
  { from, to }: ByteRange = { from: 0, to: Number.POSITIVE_INFINITY },
): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    for (let at = from; at < to; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(PIECE_BYTES, to - at), at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
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
