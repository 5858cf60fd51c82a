import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Create a folder and its missing parents, one by one. Where a file system reports a folder as missing that it has just
 * refused to create, as `/proc` does, Node's recursive option would retry forever.
 *
 * @throws the error of the file system, also ENOENT
 */
export const makeFolder = (folder: string, mode = 0o777): void => {
  const missing: string[] = [];
  for (let place = resolve(folder); !existsSync(place); place = dirname(place)) missing.unshift(place);
  for (const place of missing) makeOne(place, mode);
};

/** Create one folder, which another process may have created in the meantime. */
const makeOne = (place: string, mode: number): void => {
  try {
    mkdirSync(place, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(place)) throw error;
  }
};
