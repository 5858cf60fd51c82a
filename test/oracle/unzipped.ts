import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** The files of a ZIP archive as text, by path. */
export const unzipped = async (zip: Buffer): Promise<ReadonlyMap<string, string>> => {
  const files = new Map<string, string>();
  const archive = await fromBufferPromise(zip, { lazyEntries: true });
  for await (const entry of archive.eachEntry())
    if (/\.(xml|rels)$/.test(entry.fileName))
      files.set(entry.fileName, (await buffer(await archive.openReadStreamPromise(entry))).toString());
  return files;
};
