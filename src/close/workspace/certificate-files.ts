import type { RegisterFile } from '../certificates/read-register.ts';
import { type Register, registerOf } from '../certificates/register.ts';
import { deleteIn, put, rowsIn } from './queries.ts';
import type { Workspace } from './workspace.ts';

/** Store the register as it is now, and remove files that are no longer configured. */
export const storeRegister = (workspace: Workspace, files: readonly RegisterFile[]): Promise<void> =>
  workspace.together(async (within) => {
    await deleteIn(within, 'certificate_file').execute();
    const rows = files.map(({ certificates, problems, ...file }, position) => {
      return { ...file, position, body: JSON.stringify({ certificates, problems }) };
    });
    await put(within, 'certificate_file', rows);
  });

/** Returns the files of the register, in order; empty when no register is configured. */
export const registerFilesOf = async (workspace: Workspace): Promise<readonly RegisterFile[]> => {
  const rows = await rowsIn(workspace, 'certificate_file').selectAll().orderBy('position').execute();
  return rows.map(({ entity: _, position: __, body, ...file }) => ({
    ...file,
    ...(JSON.parse(body) as Pick<RegisterFile, 'certificates' | 'problems'>),
  }));
};

/** Returns the register that these files make up; `undefined` when none is configured. */
export const registerOfFiles = (files: readonly RegisterFile[]): Register | undefined =>
  files.length === 0 ? undefined : registerOf(files.flatMap(({ certificates }) => certificates));
