import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ContentRefusedError } from '../content-error.ts';

/** What an archive may come to in memory; the largest official files have a few hundred megabytes. */
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
