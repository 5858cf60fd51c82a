import { type FileHandle, open, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync, type ZlibOptions } from 'node:zlib';
import { DefectError } from '../kernel/errors.ts';

/** A file of a package, with its content in pieces that are produced when the file is written. */
export type PackageEntry = {
  readonly path: string;
  readonly pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
};

/**
 * Writes a package file whose bytes depend only on its entries and their order. Only its owner may read the file,
 * because it contains addresses and sales. If writing fails, no file is left.
 */
export const writePackage = async (path: string, entries: Iterable<PackageEntry>): Promise<void> => {
  const file = await open(path, 'w', 0o600);
  try {
    await writeEntries(file, entries);
    await file.close();
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
};

/** An entry as described in ZIP headers: APPNOTE.TXT of PKWARE, 4.3.7 and 4.3.12. */
type Entry = { readonly name: Buffer; readonly offset: number; crc: number; size: number; packed: number };

const writeEntries = async (file: FileHandle, entries: Iterable<PackageEntry>): Promise<void> => {
  const written: Entry[] = [];
  const writes = collectedWrites(file);
  for (const { path, pieces } of entries) {
    const entry: Entry = { name: Buffer.from(path), offset: writes.length(), crc: 0, size: 0, packed: 0 };
    const header = localHeader(entry);
    await writes.append(header);
    for await (const packed of packedInOrder(pieces, entry)) {
      await writes.append(packed);
      entry.packed += packed.length;
    }
    // The sizes are known only now.
    await writes.replace(header, localHeader(entry), entry.offset);
    written.push(entry);
  }
  const directory = Buffer.concat(written.map(directoryHeader));
  const start = writes.length();
  await writes.append(directory);
  await writes.append(directoryEnd(written.length, directory.length, start));
  await writes.flush();
};

/** Most files of a package are small, so that their bytes are written together. */
const WRITE_LENGTH = 262_144;

/** Appends to a file, in long writes. */
const collectedWrites = (file: FileHandle) => {
  let waiting: Uint8Array[] = [];
  let [onDisk, end] = [0, 0];
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    await writeAll(file, bytes, onDisk);
    onDisk = end;
  };
  return {
    length: (): number => end,
    append: async (bytes: Uint8Array): Promise<void> => {
      waiting.push(bytes);
      end += bytes.length;
      if (end > OFFSET_MAX) throw new DefectError('a workbook of more than 4 GB cannot be written');
      if (end - onDisk >= WRITE_LENGTH) await flush();
    },
    /** Replaces bytes that were appended at an offset by as many others. */
    replace: async (bytes: Uint8Array, others: Uint8Array, offset: number): Promise<void> => {
      if (offset >= onDisk) bytes.set(others);
      else await writeAll(file, others, offset);
    },
    flush,
  };
};

/** Writes all bytes. On an almost full disk, a single write may store only some of them. */
const writeAll = async (file: FileHandle, bytes: Uint8Array, at: number): Promise<void> => {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
};

/** Level 3 would make the file a tenth smaller for a tenth more processor time. */
const LEVEL = 1;
/** Number of pieces that worker threads compress while the next piece is produced. */
const AHEAD = 4;
/** The end of a deflate stream: an empty final block. */
const LAST_BLOCK = Buffer.from([3, 0]);
/** Buffer size that fits a compressed piece, so that compression takes one step. */
const PACKED_LENGTH = 131_072;

/** A shorter piece is compressed sooner than another thread begins with it. */
const SMALL_LENGTH = 16_384;

const OPTIONS = { level: LEVEL, chunkSize: PACKED_LENGTH, finishFlush: constants.Z_SYNC_FLUSH };

const deflated = promisify<Uint8Array, ZlibOptions, Buffer>(deflateRaw);

const inBackground = (piece: Uint8Array): Promise<Buffer> => {
  const packed = deflated(piece, OPTIONS);
  // A failure surfaces where the result is awaited.
  packed.catch(() => {});
  return packed;
};

/** Compresses each piece on its own, without a final block, so that the results can be concatenated. */
async function* packedInOrder(pieces: PackageEntry['pieces'], entry: Entry): AsyncGenerator<Uint8Array> {
  const underWay: (Buffer | Promise<Buffer>)[] = [];
  for await (const piece of pieces) {
    entry.crc = crc32(piece, entry.crc);
    entry.size += piece.length;
    if (entry.size > OFFSET_MAX) throw new DefectError(`${entry.name} of a workbook is longer than 4 GB`);
    underWay.push(piece.length < SMALL_LENGTH ? deflateRawSync(piece, OPTIONS) : inBackground(piece));
    const next = underWay.length > AHEAD ? underWay.shift() : undefined;
    if (next) yield await next;
  }
  for (const packed of underWay) yield await packed;
  yield LAST_BLOCK;
}

const OFFSET_MAX = 0xffff_ffff;
/** The ZIP version a reader must support: deflated content. */
const VERSION = 20;
const DEFLATED = 8;
/** 1 January 1980, the earliest date of ZIP, used instead of the time of writing. */
const DATE = 0x21;

type Field = readonly [bytes: 2 | 4, value: number];
const NOTHING: Field = [2, 0];

/** The fields that both headers of an entry share. The flags, the time and the length of extra fields are zero. */
const traitsOf = ({ name, crc, size, packed }: Entry): readonly Field[] => [
  [2, VERSION],
  NOTHING,
  [2, DEFLATED],
  NOTHING,
  [2, DATE],
  [4, crc],
  [4, packed],
  [4, size],
  [2, name.length],
  NOTHING,
];

/** Builds the header that precedes the content of an entry. */
const localHeader = (entry: Entry): Buffer =>
  Buffer.concat([bytesOf([[4, 0x0403_4b50], ...traitsOf(entry)]), entry.name]);

/**
 * Builds the header in the central directory. Between the traits and the offset are a comment, a disk and attributes.
 */
const directoryHeader = (entry: Entry): Buffer => {
  const between: readonly Field[] = [NOTHING, NOTHING, NOTHING, [4, 0]];
  const fields: readonly Field[] = [[4, 0x0201_4b50], [2, VERSION], ...traitsOf(entry), ...between];
  return Buffer.concat([bytesOf([...fields, [4, entry.offset]]), entry.name]);
};

const directoryEnd = (entries: number, length: number, start: number): Buffer =>
  bytesOf([[4, 0x0605_4b50], NOTHING, NOTHING, [2, entries], [2, entries], [4, length], [4, start], NOTHING]);

const bytesOf = (fields: readonly Field[]): Buffer => {
  const bytes = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of fields) at = bytes.writeUIntLE(value, at, width);
  return bytes;
};
