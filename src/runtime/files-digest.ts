import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Digest of files below a folder with their names, in their order. */
export const filesDigest = (folder: string, paths: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const path of paths) {
    const bytes = readFileSync(join(folder, path));
    hash.update(`\n${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
};

/** The paths of all files below a folder, relative to it, sorted; those that links lead to among them. */
export const filePathsBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
