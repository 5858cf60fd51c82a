import { access } from 'node:fs/promises';

/** Codes of the operating system for a path where nothing exists. */
const ABSENT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR']);

/** Whether anything exists at this path. @throws the error of the file system when that cannot be determined */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (ABSENT.has(error.code)) return false;
      throw error;
    },
  );
