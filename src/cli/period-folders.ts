import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST_PATH } from '../close/evidence/manifest.ts';
import { parseVersion } from '../kernel/amended-version.ts';
import { TieoutError } from '../kernel/errors.ts';
import { exists } from '../runtime/exists.ts';

/**
 * Returns the folder itself if it belongs to a period, otherwise the period folders below it.
 *
 * @param also whether folders count that are named after a period and have no manifest: a check must not pass over them
 * @throws {TieoutError} E_EVIDENCE_MISSING
 */
export const periodFolders = async (
  folder: string,
  also?: 'without a manifest',
): Promise<readonly string[]> => {
  if (await exists(join(folder, MANIFEST_PATH))) return [folder];
  const isThere = await exists(folder);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
  const folders: string[] = [];
  for (const name of names.sort())
    if ((also && parseVersion(name)) || (await exists(join(folder, name, MANIFEST_PATH))))
      folders.push(join(folder, name));
  if (folders.length > 0) return folders;
  throw new TieoutError({
    code: 'E_EVIDENCE_MISSING',
    message: isThere
      ? `${folder} holds no ${MANIFEST_PATH}, and no folder in it does`
      : `${folder}: there is no such folder`,
    nextStep: 'Name the folder of a closed period, such as output/my-shop/2026-10',
  });
};
