import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ContentRefusedError } from '../content-error.ts';

/** The largest member that is unpacked; the largest official files have a few hundred megabytes. */
const MEMBER_BYTES_MAX = 1_000_000_000;

/**
 * Unpack an archive in memory. Sizes and checksums are verified on the way.
 *
 * @throws {ContentRefusedError} when the archive is damaged or a member is too large
 */
export const unzipFiles = async (
  bytes: Buffer,
  name: string,
): Promise<{ readonly name: string; readonly bytes: Buffer }[]> => {
  try {
    const archive = await fromBufferPromise(bytes, { lazyEntries: true });
    const members: { name: string; bytes: Buffer }[] = [];
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      if (entry.uncompressedSize > MEMBER_BYTES_MAX) {
        throw new ContentRefusedError(name, `${entry.fileName} is too large`);
      }
      members.push({ name: entry.fileName, bytes: await buffer(await archive.openReadStreamPromise(entry)) });
    }
    return members;
  } catch (cause) {
    if (cause instanceof ContentRefusedError) throw cause;
    throw new ContentRefusedError(name, 'the archive is damaged', cause);
  }
};
