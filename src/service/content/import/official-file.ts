import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { StringDecoder } from 'node:string_decoder';
import { fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { diskFailure, TieoutError } from '../../../kernel/errors.ts';
import { ContentRefusedError } from '../content-error.ts';
import { digestOfFile } from '../file-digest.ts';

/** A file offered for import: of a zip archive, its one data file. */
export type OfferedFile = {
  /** The name of the data file, without folders. */
  readonly name: string;
  /** The name under which it was offered: that of the archive, if it was in one. */
  readonly offered: string;
  /** Digest of the file as offered. */
  readonly sha256: string;
  /** Open its data from the start. */
  readonly open: () => Promise<Readable>;
};

/** A file in memory. */
export type OfficialFile = Omit<OfferedFile, 'open'> & { readonly bytes: Buffer };

/** Whether the file is a workbook: a zip archive, too, but one that its importer opens itself. */
const isWorkbook = (name: string): boolean => /\.xlsx$/i.test(name);

const PIECE = { highWaterMark: 262_144 } as const;
const ZIP_START = 'PK\u0003\u0004';

/** @throws {ContentRefusedError} when the file cannot be read, is empty, or is a zip without one data file */
export const offeredFile = async (path: string): Promise<OfferedFile> => {
  const name = basename(path);
  const start = await startOf(path).catch((cause: unknown) => {
    throw new ContentRefusedError(name, 'the file cannot be read', cause);
  });
  if (start === '') throw new ContentRefusedError(name, 'the file is empty');
  const { sha256 } = await digestOfFile(path);
  if (start !== ZIP_START || isWorkbook(name))
    return { name, offered: name, sha256, open: async () => createReadStream(path, PIECE) };
  const members = (await memberNames(path)).filter((member) => /\.(csv|txt)$/i.test(member));
  const [member] = members;
  if (member === undefined || members.length > 1)
    throw new ContentRefusedError(name, `the archive holds ${members.length} data files instead of one`);
  return { name: basename(member), offered: name, sha256, open: () => memberStream(path, member) };
};

const startOf = async (path: string): Promise<string> => {
  const file = await open(path);
  const { bytesRead, buffer: start } = await file
    .read(Buffer.alloc(ZIP_START.length), 0, ZIP_START.length, 0)
    .finally(() => file.close());
  return start.toString('latin1', 0, bytesRead);
};

/** Read a file into memory. @throws {ContentRefusedError} when its archive is damaged */
export const inMemory = async ({ open: opened, ...file }: OfferedFile): Promise<OfficialFile> => ({
  ...file,
  bytes: await buffer(await opened()).catch((cause: unknown) => {
    throw unreadable(file.offered, cause);
  }),
});

const unreadable = (name: string, cause: unknown): unknown =>
  cause instanceof TieoutError
    ? cause
    : (diskFailure(cause) ?? new ContentRefusedError(name, 'the archive is damaged', cause));

const MARK = '\ufeff';
/** Characters without a line end, more than any official file has. */
const LINE_MAX = 1_000_000;

/**
 * Read the lines of a file of any size, in batches, without a byte order mark. Memory holds one batch.
 *
 * @throws {ContentRefusedError} when its archive is damaged, or a line has no end
 */
export const lineBatches = async function* (file: OfferedFile): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder('utf8');
  let rest: string | undefined;
  try {
    for await (const piece of await file.open()) {
      const text = decoder.write(piece as Buffer);
      const lines = (rest === undefined && text.startsWith(MARK) ? text.slice(1) : (rest ?? '') + text).split(
        '\n',
      );
      rest = lines.pop() ?? '';
      if (rest.length > LINE_MAX) throw new ContentRefusedError(file.name, 'a line has no end');
      yield lines;
    }
  } catch (cause) {
    throw unreadable(file.offered, cause);
  }
  if (rest) yield [rest];
};

/** Read the lines of a file in memory, without line ends and byte order mark. */
export const linesOf = ({ bytes }: OfficialFile): readonly string[] =>
  bytes.toString('utf8').replace(MARK, '').split(/\r?\n/);

/** Maximum unpacked size of an archive; the largest official files have a few hundred megabytes. */
const UNPACKED_BYTES_MAX = 1_000_000_000;

/**
 * Unpack an archive in memory, verifying sizes and checksums.
 *
 * @throws {ContentRefusedError} when the archive is damaged or unpacks to more than `bytesMax`
 */
export const unzipFiles = (
  bytes: Buffer,
  name: string,
  bytesMax = UNPACKED_BYTES_MAX,
): Promise<{ readonly name: string; readonly bytes: Buffer }[]> =>
  inArchive(name, fromBufferPromise(bytes, { lazyEntries: true }), async (archive) => {
    const members: { name: string; bytes: Buffer }[] = [];
    let unpacked = 0;
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      // A member cannot unpack to more than its stated size: the reader stops there.
      unpacked += entry.uncompressedSize;
      if (unpacked > bytesMax) throw new ContentRefusedError(name, 'it unpacks to more than can be read');
      members.push({ name: entry.fileName, bytes: await buffer(await archive.openReadStreamPromise(entry)) });
    }
    return members;
  });

/** List the files in an archive on disk. @throws {ContentRefusedError} when it is damaged */
const memberNames = (path: string): Promise<readonly string[]> =>
  inArchive(basename(path), onDisk(path), async (archive) => {
    const names: string[] = [];
    for await (const { fileName } of archive.eachEntry()) if (!fileName.endsWith('/')) names.push(fileName);
    return names;
  });

/** Open one file of an archive on disk as a stream. @throws {ContentRefusedError} when it is damaged, or too large */
const memberStream = (path: string, member: string): Promise<Readable> =>
  inArchive(basename(path), onDisk(path), async (archive) => {
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName !== member) continue;
      if (entry.uncompressedSize > UNPACKED_BYTES_MAX)
        throw new ContentRefusedError(basename(path), 'it unpacks to more than can be read');
      return archive.openReadStreamPromise(entry);
    }
    throw new ContentRefusedError(basename(path), `it has no ${member} any more`);
  });

const onDisk = (path: string): Promise<ZipFile> => openPromise(path, { lazyEntries: true, autoClose: false });

/** Open an archive for the work, and close it. A stream that is still being read keeps the file open. */
const inArchive = async <Result>(
  name: string,
  opened: Promise<ZipFile>,
  work: (archive: ZipFile) => Promise<Result>,
): Promise<Result> => {
  let archive: ZipFile | undefined;
  try {
    archive = await opened;
    return await work(archive);
  } catch (cause) {
    if (cause instanceof TieoutError) throw cause;
    throw new ContentRefusedError(name, 'the archive is damaged', cause);
  } finally {
    archive?.close();
  }
};
