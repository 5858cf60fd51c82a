import type { RegisterFile } from '../certificates/read-register.ts';
import { type Register, registerOf } from '../certificates/register.ts';
import { rowsIn } from './queries.ts';
import type { Workspace } from './workspace.ts';

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
