import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TieoutError } from '../kernel/errors.ts';
import { makeFolder } from '../runtime/publish-folder.ts';

/** Writes a file for a person to edit. An existing file is kept, because it may contain their work. */
export const writeNewFile = async (
  file: string,
  text: string,
  what: 'configuration' | 'profile',
): Promise<void> => {
  try {
    makeFolder(dirname(file));
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existsAlready(file, what);
    throw new TieoutError({
      code: 'E_CONFIG_UNWRITABLE',
      message: `${file}: the ${what} cannot be written (${code})`,
      nextStep: 'Name another place with --output.',
      cause: error,
    });
  }
};

export const existsAlready = (file: string, what: 'configuration' | 'profile'): TieoutError =>
  new TieoutError({
    code: 'E_CONFIG_EXISTS',
    message: `${file} is there already, and init never overwrites a ${what}`,
    nextStep:
      what === 'profile'
        ? 'Edit it, or name another file with --output.'
        : `Edit it, or write a second one with \`--output ${join(dirname(file), 'new.yaml')}\`, copy its new lines into the first, and delete the second.`,
  });
