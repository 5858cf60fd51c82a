import { type FileHandle, open, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, type ZlibOptions } from 'node:zlib';
import { DefectError } from '../../kernel/errors.ts';

/** A file of a package, and its content piece by piece when its turn comes. */
export type PackageEntry = {
  readonly path: string;
  readonly pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
};

/**
 * Write a package file whose bytes depend on its entries and their order alone. Only its owner may read it: it holds
 * addresses and sales. On failure no file is left.
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

/** An entry as the headers of a ZIP state it: APPNOTE.TXT of PKWARE, 4.3.7 and 4.3.12. */
type Entry = { readonly name: Buffer; readonly offset: number; crc: number; size: number; packed: number };

const writeEntries = async (file: FileHandle, entries: Iterable<PackageEntry>): Promise<void> => {
  const written: Entry[] = [];
  let end = 0;
  const append = async (bytes: Uint8Array): Promise<void> => {
    await file.write(bytes, 0, bytes.length, end);
    end += bytes.length;
    if (end > OFFSET_MAX) throw new DefectError('a workbook of more than 4 GB cannot be written');
  };
  for (const { path, pieces } of entries) {
    const entry: Entry = { name: Buffer.from(path), offset: end, crc: 0, size: 0, packed: 0 };
    await append(localHeader(entry));
    for await (const packed of packedInOrder(pieces, entry)) {
      await append(packed);
      entry.packed += packed.length;
    }
    // The sizes are known only now.
    const header = localHeader(entry);
    await file.write(header, 0, header.length, entry.offset);
    written.push(entry);
  }
  const directory = Buffer.concat(written.map(directoryHeader));
  const start = end;
  await append(directory);
  await append(directoryEnd(written.length, directory.length, start));
};

/** Higher levels save an eighth of the file and take a tenth more of the processor. */
const LEVEL = 1;
/** Pieces that other threads of the process compress while the next one is made. */
const AHEAD = 4;
/** What ends a stream of deflate blocks: an empty last one. */
const LAST_BLOCK = Buffer.from([3, 0]);

/** Room for what a piece is compressed to, so that it takes one step. */
const PACKED_LENGTH = 131_072;

const deflated = promisify<Uint8Array, ZlibOptions, Buffer>(deflateRaw);

/** Each piece is compressed by itself, without a last block, so that their results can stand one after the other. */
async function* packedInOrder(pieces: PackageEntry['pieces'], entry: Entry): AsyncGenerator<Uint8Array> {
  const underWay: Promise<Buffer>[] = [];
  for await (const piece of pieces) {
    entry.crc = crc32(piece, entry.crc);
    entry.size += piece.length;
    if (entry.size > OFFSET_MAX) throw new DefectError(`${entry.name} of a workbook is longer than 4 GB`);
    const packed = deflated(piece, {
      level: LEVEL,
      chunkSize: PACKED_LENGTH,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    // A failure is heard of where the result is taken.
    packed.catch(() => {});
    underWay.push(packed);
    const next = underWay.length > AHEAD ? underWay.shift() : undefined;
    if (next) yield await next;
  }
  for (const packed of underWay) yield await packed;
  yield LAST_BLOCK;
}

const OFFSET_MAX = 0xffff_ffff;
const LOCAL_HEADER = 0x0403_4b50;
const DIRECTORY_HEADER = 0x0201_4b50;
const DIRECTORY_END = 0x0605_4b50;
/** What a reader has to support: deflated content. */
const VERSION = 20;
const DEFLATED = 8;
/** 1 January 1980, the first day a ZIP can state, in place of the time of writing. */
const DATE = 0x21;

const localHeader = ({ name, ...entry }: Entry): Buffer => {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  writeTraits(header, 4, name, entry);
  return Buffer.concat([header, name]);
};

const directoryHeader = ({ name, offset, ...entry }: Entry): Buffer => {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(DIRECTORY_HEADER, 0);
  header.writeUInt16LE(VERSION, 4);
  writeTraits(header, 6, name, entry);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name]);
};

/** What both headers of an entry say of it; flags, time and further fields stay zero. */
const writeTraits = (
  header: Buffer,
  at: number,
  name: Buffer,
  { crc, size, packed }: Pick<Entry, 'crc' | 'size' | 'packed'>,
): void => {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(DEFLATED, at + 4);
  header.writeUInt16LE(DATE, at + 8);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(packed, at + 14);
  header.writeUInt32LE(size, at + 18);
  header.writeUInt16LE(name.length, at + 22);
};

const directoryEnd = (entries: number, length: number, start: number): Buffer => {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(DIRECTORY_END, 0);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(start, 16);
  return end;
};
