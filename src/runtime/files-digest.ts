import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Digest files below a folder together with their names, in the given order. */
export const filesDigest = (folder: string, paths: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const path of paths) {
    const bytes = readFileSync(join(folder, path));
    hash.update(`\n${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
};

/** List all files below a folder, relative to it and sorted, including files that links lead to. */
export const filePathsBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
