import { chown, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The user and group without any rights of their own. */
const NOBODY = 65_534;

/** Run work on a folder as a user to whom missing rights matter: they do not matter to root, who gives up its own here. */
export const asOrdinaryUser = async <Result>(
  folder: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  if (process.geteuid?.() !== 0) return work();
  const below = await readdir(folder, { recursive: true });
  for (const path of ['', ...below]) await chown(join(folder, path), NOBODY, NOBODY);
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
};
