import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Make a folder and those above it that are missing. One by one: where a file system denies that a folder is there
 * which it has just refused to make, as `/proc` does, Node's recursive way tries for ever.
 *
 * @throws the error of the file system, also ENOENT
 */
export const makeFolder = (folder: string, mode = 0o777): void => {
  const missing: string[] = [];
  for (let place = resolve(folder); !existsSync(place); place = dirname(place)) missing.unshift(place);
  for (const place of missing) makeOne(place, mode);
};

/** Another process may have made it in the meantime. */
const makeOne = (place: string, mode: number): void => {
  try {
    mkdirSync(place, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(place)) throw error;
  }
};
