import { access } from 'node:fs/promises';

/** What the operating system says where nothing is. */
const ABSENT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR']);

/** Whether anything is at this path. @throws what the system says where that cannot be seen from here */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (ABSENT.has(error.code)) return false;
      throw error;
    },
  );
