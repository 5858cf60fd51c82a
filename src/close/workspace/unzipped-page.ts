import { gunzipSync } from 'node:zlib';
import type { Database } from '../../database/database.ts';
import { damagedFile } from '../../database/sqlite-errors.ts';
import type { TieoutError } from '../../kernel/errors.ts';

/** The text of a page. What was damaged where it lay does not have its own checksum, which gzip compares. */
export const unzippedPage = (database: Database, body: Uint8Array, name: string): string => {
  try {
    return gunzipSync(body).toString();
  } catch {
    throw damagedPage(database, name);
  }
};

export const damagedPage = ({ place }: Database, name: string): TieoutError =>
  damagedFile({ path: place, busyWaitMs: 0 }, `${name} is not what it was when it was written`);
