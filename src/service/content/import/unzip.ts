import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { TieoutError } from '../../../kernel/errors.ts';
import { ContentRefusedError } from '../content-error.ts';

/** What an archive may unpack to; the largest official files have a few hundred megabytes. */
const UNPACKED_BYTES_MAX = 1_000_000_000;

/**
 * Unpack an archive in memory. Sizes and checksums are verified on the way.
 *
 * @throws {ContentRefusedError} when the archive is damaged or comes to more than `bytesMax`
 */
export const unzipFiles = async (
  bytes: Buffer,
  name: string,
  bytesMax = UNPACKED_BYTES_MAX,
): Promise<{ readonly name: string; readonly bytes: Buffer }[]> => {
  try {
    const archive = await fromBufferPromise(bytes, { lazyEntries: true });
    const members: { name: string; bytes: Buffer }[] = [];
    let unpacked = 0;
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      // What a member really comes to is not more than what it states: the reader ends it there.
      unpacked += entry.uncompressedSize;
      if (unpacked > bytesMax) throw new ContentRefusedError(name, 'it unpacks to more than can be read');
      members.push({ name: entry.fileName, bytes: await buffer(await archive.openReadStreamPromise(entry)) });
    }
    return members;
  } catch (cause) {
    if (cause instanceof ContentRefusedError) throw cause;
    throw new ContentRefusedError(name, 'the archive is damaged', cause);
  }
};

/** The names of the files in an archive on disk. @throws {ContentRefusedError} when it is damaged */
export const memberNames = (path: string): Promise<readonly string[]> =>
  inArchive(path, async (archive) => {
    const names: string[] = [];
    for await (const { fileName } of archive.eachEntry()) if (!fileName.endsWith('/')) names.push(fileName);
    return names;
  });

/** One file of an archive on disk, as a stream. @throws {ContentRefusedError} when it is damaged, or too large */
export const memberStream = (path: string, member: string): Promise<Readable> =>
  inArchive(path, async (archive) => {
    for await (const entry of archive.eachEntry())
      if (entry.fileName === member) return streamOf(archive, entry, basename(path));
    throw new ContentRefusedError(basename(path), `it has no ${member} any more`);
  });

const streamOf = async (archive: ZipFile, entry: Entry, name: string): Promise<Readable> => {
  if (entry.uncompressedSize > UNPACKED_BYTES_MAX)
    throw new ContentRefusedError(name, 'it unpacks to more than can be read');
  return archive.openReadStreamPromise(entry);
};

/** A stream that is still read keeps the file open when the archive is closed. */
const inArchive = async <Result>(
  path: string,
  work: (archive: ZipFile) => Promise<Result>,
): Promise<Result> => {
  let archive: ZipFile | undefined;
  try {
    archive = await openPromise(path, { lazyEntries: true, autoClose: false });
    return await work(archive);
  } catch (cause) {
    if (cause instanceof TieoutError) throw cause;
    throw new ContentRefusedError(basename(path), 'the archive is damaged', cause);
  } finally {
    archive?.close();
  }
};
