import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { byteMeter, type MeteredBytes } from '../../runtime/byte-meter.ts';

/** The files of a package by path. */
export type PackageFiles = ReadonlyMap<string, Buffer>;

/** A file of a package, or the means to produce it when its turn comes. */
export type PackageEntry = { readonly path: string; readonly content: Buffer | (() => Readable) };

/**
 * The earliest time a ZIP can state. yazl takes the parts of the local time, so the date is made of local parts:
 * the same bytes in every time zone.
 */
const entryOptions = (compressionLevel: number) => ({
  mtime: new Date(1980, 0, 1),
  mode: 0o100644,
  forceDosTimestamp: true,
  compressionLevel,
});

/** Long content takes half the time, and is an eighth longer. */
const LEVEL_OF_STREAMS = 3;
const LEVEL_OF_BUFFERS = 6;

export const readPackage = async (zip: Buffer): Promise<PackageFiles> => {
  const files = new Map<string, Buffer>();
  const archive = await fromBufferPromise(zip, { lazyEntries: true });
  for await (const entry of archive.eachEntry()) {
    // Packages have no folders of their own, but exceljs's archiver lists them.
    if (entry.fileName.endsWith('/')) continue;
    files.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
  }
  return files;
};

/**
 * Write a package file whose bytes depend on its entries and their order alone. Only its owner may read it: it holds
 * addresses and sales. On failure no file is left.
 */
export const writePackage = async (path: string, entries: readonly PackageEntry[]): Promise<MeteredBytes> => {
  const zip = new ZipFile();
  const { stream: meter, measured } = byteMeter();
  // yazl neither watches the streams it reads nor ends its output when one fails: both are done here.
  const stop = (error: Error) => meter.destroy(error);
  zip.on('error', stop);
  for (const { path: name, content } of entries) {
    if (typeof content === 'function') {
      zip.addReadStreamLazy(name, entryOptions(LEVEL_OF_STREAMS), (give) =>
        give(null, content().on('error', stop)),
      );
    } else {
      zip.addBuffer(content, name, entryOptions(LEVEL_OF_BUFFERS));
    }
  }
  zip.end();
  try {
    await pipeline(zip.outputStream, meter, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return measured();
};
