import { access } from 'node:fs/promises';

/** Whether anything is at this path that can be seen from here. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
