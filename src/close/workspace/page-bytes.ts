import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Database } from '../../database/database.ts';
import { damagedFile } from '../../database/sqlite-errors.ts';
import type { TieoutError } from '../../kernel/errors.ts';

const compress = promisify(zstdCompress);

/** The fastest level: higher ones do not make these pages smaller. */
const PARAMS = {
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_checksumFlag]: 1,
};

/** A shorter page is compressed sooner than another thread begins with it. */
const SMALL_LENGTH = 16_384;

/** Large enough for most pages, so that one step suffices. */
const chunkSize = 65_536;

/** Returns the text of a page as the workspace stores it: compressed, with a checksum of its content. */
export const pageBytes = async (text: string | Uint8Array): Promise<Uint8Array> => {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  // Knowing the length, the compressor allocates only the memory it needs.
  const options = { params: PARAMS, chunkSize, pledgedSrcSize: bytes.length };
  return bytes.length < SMALL_LENGTH ? zstdCompressSync(bytes, options) : await compress(bytes, options);
};

/**
 * Returns the text of a stored page.
 *
 * @throws {TieoutError} E_DATABASE_DAMAGED when the bytes do not match their checksum
 */
export const pageText = (database: Database, body: Uint8Array, name: string): string => {
  try {
    return zstdDecompressSync(body, { chunkSize }).toString();
  } catch {
    throw damagedPage(database, name);
  }
};

export const damagedPage = ({ place }: Database, name: string): TieoutError =>
  damagedFile({ path: place, busyWaitMs: 0 }, `${name} is not what it was when it was written`);
