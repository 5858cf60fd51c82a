import { join } from 'node:path';
import { filesBelow, sha256OfFile } from './publish-folder.ts';

/** A file, by its path below a folder. */
export type NamedFile = { readonly path: string; readonly sha256: string };

/** A file that differs from what is expected: foreign (not expected), missing, or changed (other bytes). */
export type FolderDifference = { readonly path: string; readonly what: 'foreign' | 'missing' | 'changed' };

/**
 * Compare a folder with these files, byte for byte, and yield the differences in the order of their paths. An entry
 * that is not a regular file counts as missing, and a file in the place of the folder as a folder without any.
 */
export async function* folderDifferences(
  folder: string,
  files: readonly NamedFile[],
): AsyncGenerator<FolderDifference> {
  const wanted = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const present = new Set(await filesBelow(folder).catch(noneWhereNothingIs));
  for (const path of [...new Set([...wanted.keys(), ...present])].sort()) {
    const sha256 = wanted.get(path);
    if (sha256 === undefined) yield { path, what: 'foreign' };
    else if (!present.has(path)) yield { path, what: 'missing' };
    else if ((await sha256OfFile(join(folder, path))) !== sha256) yield { path, what: 'changed' };
  }
}

const noneWhereNothingIs = (error: NodeJS.ErrnoException): readonly string[] => {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
  throw error;
};
