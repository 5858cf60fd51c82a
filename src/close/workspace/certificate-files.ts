import type { RegisterFile } from '../certificates/read-register.ts';
import { type Register, registerOf } from '../certificates/register.ts';
import type { CertificateFileRow } from './certificate-file-row.ts';
import type { Workspace } from './workspace.ts';

/** Keep the register as it stands now; files that are configured no more are forgotten. */
export const storeRegister = (
  { entity, upsert, together }: Workspace,
  files: readonly RegisterFile[],
): Promise<void> =>
  together(async (tables) => {
    await tables.deleteFrom('certificate_file').where('entity', '=', entity).execute();
    const rows = files.map(({ certificates, problems, ...file }, position): CertificateFileRow => {
      return { entity, ...file, position, body: JSON.stringify({ certificates, problems }) };
    });
    await upsert('certificate_file', rows, tables);
  });

/** The files of the register, in their order; none when no register is configured. */
export const registerFilesOf = async ({ entity, tables }: Workspace): Promise<readonly RegisterFile[]> => {
  const rows = await tables
    .selectFrom('certificate_file')
    .selectAll()
    .where('entity', '=', entity)
    .orderBy('position')
    .execute();
  return rows.map(({ entity: _, position: __, body, ...file }) => ({
    ...file,
    ...(JSON.parse(body) as Pick<RegisterFile, 'certificates' | 'problems'>),
  }));
};

/** The register that these files make up; `undefined` when none is configured. */
export const registerOfFiles = (files: readonly RegisterFile[]): Register | undefined =>
  files.length === 0 ? undefined : registerOf(files.flatMap(({ certificates }) => certificates));
