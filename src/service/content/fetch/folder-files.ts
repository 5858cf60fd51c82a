import { constants } from 'node:fs';
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileSource } from '../../../contract/file-source.ts';
import { TieoutError } from '../../../kernel/errors.ts';

/** Files that a person has downloaded to a folder, under the names that their publishers gave them. */
export const folderFiles = (folder: string): FileSource => ({
  knowsAddresses: false,
  listed: async () =>
    (
      await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
        throw new TieoutError({
          code: 'E_CONTENT_USAGE',
          recovery: 'usage',
          message: `${folder} cannot be read as a folder`,
          nextStep: 'Name the folder of the downloaded files with --from.',
          cause,
        });
      })
    ).flatMap((entry) => (entry.isFile() ? [entry.name] : [])),
  take: ({ address }, path) => copyFile(join(folder, address), path, constants.COPYFILE_FICLONE),
});
