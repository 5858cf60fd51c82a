import { join } from 'node:path';
import { filesBelow, sha256OfFile } from './publish-folder.ts';

/** A file by its path below a folder. */
export type NamedFile = { readonly path: string; readonly sha256: string };

/** A file that is not as it should be: there, and not expected; expected, and not there; or with other bytes. */
export type FolderDifference = { readonly path: string; readonly what: 'foreign' | 'missing' | 'changed' };

/** Where a folder is not exactly these files, byte for byte, in the order of the paths. What is not a file is missing. */
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
  if (error.code === 'ENOENT') return [];
  throw error;
};
