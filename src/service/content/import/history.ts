import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { TieoutError } from '../../../kernel/errors.ts';

/** The folder in which a content keeps the tables of its imports, by number. */
export const HISTORY = 'history';

/** Return the number of the last import into a folder, taken back or not; 0 if there was none. */
export const lastNumber = (folder: string): number => {
  const history = join(folder, HISTORY);
  const names = existsSync(history) ? readdirSync(history) : [];
  return Math.max(0, ...names.filter((name) => /^\d+$/.test(name)).map(Number));
};

const OCCUPIED: ReadonlySet<string> = new Set(['EEXIST', 'ENOTEMPTY', 'EPERM']);

/**
 * Give a folder its final name, unless there is one already: of two imports at a time, the second has read the content of
 * before the first, and fails.
 *
 * @throws {TieoutError} E_CONTENT_CHANGED
 */
export const claimName = (drafted: string, name: string, content: string): void => {
  try {
    renameSync(drafted, name);
  } catch (cause) {
    throw OCCUPIED.has((cause as NodeJS.ErrnoException).code ?? '') ? contentChanged(content) : cause;
  }
};

export const contentChanged = (folder: string): TieoutError =>
  new TieoutError({
    code: 'E_CONTENT_CHANGED',
    message: `${folder} was changed by another import in the meantime`,
    nextStep: 'Nothing was imported. Run the command again.',
  });
