import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { TieoutError } from '../kernel/errors.ts';

const Copy = z.strictObject({
  kind: z.enum(['workspace', 'ledger']),
  /** The name of its file, without the ending. */
  name: z.string().regex(/^[a-z]+(-\d+)?$/),
  /** The entities that use the database; empty for the ledger of a served service. */
  entities: z.array(z.string()).readonly(),
  bytes: z.number(),
  sha256: z.string(),
  schema: z.record(z.string(), z.string()),
  rows: z.record(z.string(), z.number()),
});
const BackupNote = z.strictObject({
  format: z.literal(2),
  program: z.string(),
  /** The entities that own the databases; empty for the ledger of a served service. */
  entities: z.array(z.string()).readonly(),
  copies: z.array(Copy).min(1).readonly(),
});

/** The state of a copy when it was taken: its digest, its schema, its rows by table. */
export type CopyNote = z.output<typeof Copy>;
/** The note beside the copies in the folder of a backup. */
export type BackupNote = z.output<typeof BackupNote>;

export const NOTE_FILE = 'backup.json';

/** @throws {TieoutError} E_BACKUP_MISSING, E_BACKUP_DAMAGED */
export const readNote = async (folder: string): Promise<BackupNote> => {
  const file = join(folder, NOTE_FILE);
  const isLink = await lstat(file).then(
    (about) => about.isSymbolicLink(),
    () => false,
  );
  if (isLink) throw damagedBackup(file, 'it is a link to another file');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new TieoutError({
      code: 'E_BACKUP_MISSING',
      message: `${folder} is not a backup: it holds no ${NOTE_FILE} that can be read.`,
      nextStep: 'Name a folder that `tieout backup` wrote.',
      cause: error,
    });
  });
  try {
    return BackupNote.parse(JSON.parse(text));
  } catch (error) {
    throw damagedBackup(file, 'it is not the note of a backup of this version', error);
  }
};

export const damagedBackup = (file: string, how: string, cause?: unknown): TieoutError =>
  new TieoutError({
    code: 'E_BACKUP_DAMAGED',
    message: `${file} is not as it was written: ${how}.`,
    nextStep: 'Restore from another backup; this one was not used, and nothing was changed.',
    cause,
  });
