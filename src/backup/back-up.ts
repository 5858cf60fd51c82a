import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copySqliteFile } from '../database/sqlite-copy.ts';
import { surveySqliteFile } from '../database/survey-sqlite-file.ts';
import { TieoutError } from '../kernel/errors.ts';
import { publishFolder, sha256OfFile } from '../runtime/publish-folder.ts';
import { type BackupNote, type CopyNote, NOTE_FILE } from './backup-note.ts';
import { fileOf, type KeptDatabase, nameOfCopy } from './kept-database.ts';

/**
 * Copy databases to a new folder while they are in use, read each copy through once more, and write a note about it.
 * They are copied in the order given: the workspace before the ledger, so that the ledger contains everything that the
 * workspace says was sent.
 *
 * @throws {TieoutError} E_BACKUP_ENGINE, E_FOLDER_NOT_EMPTY, E_OUTPUT_UNWRITABLE, E_OUTPUT_FULL, and those of a
 * database
 */
export const backUp = async (
  databases: readonly KeptDatabase[],
  folder: string,
  about: Pick<BackupNote, 'program' | 'entities'>,
): Promise<BackupNote> => {
  const files = databases.map(fileOf);
  await refuseFilled(folder);
  const copies: CopyNote[] = [];
  const note: BackupNote = { format: 2, ...about, copies };
  await publishFolder(folder, async (staging) => {
    for (const [index, database] of databases.entries()) {
      const copy = join(staging, nameOfCopy(database));
      await copySqliteFile(files[index] ?? '', copy);
      copies.push(await noteOf(copy, database));
    }
    const text = `${JSON.stringify(note, null, 2)}\n`;
    await writeFile(join(staging, NOTE_FILE), text, { mode: 0o600, flush: true });
  });
  return note;
};

const noteOf = async (copy: string, { kind, name, entities, sets }: KeptDatabase): Promise<CopyNote> => ({
  kind,
  name,
  entities: [...entities],
  bytes: (await stat(copy)).size,
  sha256: await sha256OfFile(copy),
  ...surveySqliteFile(copy, sets),
});

/** Refuse a folder with content: a backup never replaces anything. */
const refuseFilled = async (folder: string): Promise<void> => {
  const present = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (present.length === 0) return;
  throw new TieoutError({
    code: 'E_FOLDER_NOT_EMPTY',
    message: `${folder} is not empty, and a backup never takes the place of anything.`,
    nextStep: 'Name a folder that is not there yet.',
  });
};
