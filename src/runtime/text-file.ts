import { open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { folderError } from './publish-folder.ts';

/** Reads a file as text; `undefined` if there is none. */
export const textOf = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw folderError(error, path);
  }
};

/** Replaces a file as a whole: a reader, and a run that is killed, has the old text or the new one. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  const part = join(dirname(path), `.${path.slice(dirname(path).length + 1)}.part`);
  try {
    const file = await open(part, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    throw folderError(error, path);
  }
};
