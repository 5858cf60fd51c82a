import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib';
import type { Database } from '../../database/database.ts';
import { damagedFile } from '../../database/sqlite-errors.ts';
import type { TieoutError } from '../../kernel/errors.ts';

const compress = promisify(zstdCompress);

/** The fastest level: higher ones make these pages no smaller. */
const PARAMS = {
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_checksumFlag]: 1,
};

/** Room for what most pages come to, so that it takes one step. */
const chunkSize = 65_536;

/** The text of a page as it lies in the workspace: compressed, with a checksum of its content. */
export const pageBytes = (text: string): Promise<Uint8Array> => {
  const bytes = Buffer.from(text);
  // With its length known, no more memory is taken than it needs.
  return compress(bytes, { params: PARAMS, chunkSize, pledgedSrcSize: bytes.length });
};

/**
 * The text of a page.
 *
 * @throws {TieoutError} E_DATABASE_DAMAGED when the bytes are not what they were: their checksum says so
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
