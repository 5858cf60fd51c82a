import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { refuseUsedFile, replaceSqliteFile, SIDE_FILES } from '../database/sqlite-copy.ts';
import { type FileSurvey, surveySqliteFile } from '../database/survey-sqlite-file.ts';
import { TieoutError } from '../kernel/errors.ts';
import { exists } from '../runtime/exists.ts';
import { sha256OfFile } from '../runtime/publish-folder.ts';
import { type BackupNote, type CopyNote, damagedBackup, readNote } from './backup-note.ts';
import { fileOf, type KeptDatabase, nameOfCopy } from './kept-database.ts';

type Restoration = {
  readonly copy: string;
  readonly note: CopyNote;
  readonly target: string;
  readonly database: KeptDatabase;
};

/**
 * Put the databases of a backup in their places. All of it is looked at before anything is written: the note, the
 * digest, the pages, the rows and the schema of each copy, and what is in its place now.
 *
 * @throws {TieoutError} E_BACKUP_MISSING, E_BACKUP_DAMAGED, E_BACKUP_OTHER, E_RESTORE_EXISTS, E_DATABASE_NEWER,
 * E_DATABASE_IN_USE, E_BACKUP_ENGINE, and those of a database
 */
export const restore = async (
  folder: string,
  databases: readonly KeptDatabase[],
  { replace, entities }: { readonly replace: boolean; readonly entities: readonly string[] },
): Promise<BackupNote> => {
  const note = await readNote(folder);
  const stranger = entities.find((entity) => !note.entities.includes(entity));
  if (stranger !== undefined) throw otherBackup(folder, `nothing of ${stranger}`, note);
  const restorations = databases.map((database): Restoration => {
    const copyNote = note.copies.find(({ name }) => name === database.name);
    if (!copyNote) throw otherBackup(folder, `no ${database.name}`, note);
    return {
      copy: join(folder, nameOfCopy(database)),
      note: copyNote,
      target: fileOf(database),
      database,
    };
  });
  for (const restoration of restorations) await check(restoration, replace);
  for (const { copy, target, note: copyNote, database } of restorations) {
    await replaceSqliteFile(copy, target);
    refuseDifference(target, surveySqliteFile(target, database.sets), copyNote);
  }
  return note;
};

const check = async ({ copy, note, target, database }: Restoration, replace: boolean): Promise<void> => {
  await refuseUnlikeWritten(copy);
  const sha256 = await sha256OfFile(copy).catch((error: unknown) => {
    throw damagedBackup(copy, 'it cannot be read', error);
  });
  if (sha256 !== note.sha256) throw damagedBackup(copy, 'its digest is not the one that was noted');
  const survey = surveySqliteFile(copy, database.sets);
  for (const { name } of database.sets)
    if (!(name in survey.schema)) throw damagedBackup(copy, `it holds no tables of a ${name}`);
  refuseDifference(copy, survey, note);
  if (!(await exists(target))) return;
  if (!replace) throw occupied(target);
  await refuseUsedFile(target);
};

/** A backup writes files that stand alone: behind a link, or with a log of SQLite beside it, a copy is another file. */
const refuseUnlikeWritten = async (copy: string): Promise<void> => {
  const about = await lstat(copy).catch((error: unknown) => {
    throw damagedBackup(copy, 'it cannot be read', error);
  });
  if (about.isSymbolicLink()) throw damagedBackup(copy, 'it is a link to another file');
  if (!about.isFile()) throw damagedBackup(copy, 'it is not a file');
  for (const side of SIDE_FILES) {
    const isThere = await lstat(`${copy}${side}`).then(
      () => true,
      () => false,
    );
    if (isThere)
      throw damagedBackup(copy, `${basename(copy)}${side} lies beside it, and a backup writes no such file`);
  }
};

const refuseDifference = (file: string, { schema, rows }: FileSurvey, note: CopyNote): void => {
  if (!isSame(schema, note.schema)) throw damagedBackup(file, 'its schema is not the one that was noted');
  if (!isSame(rows, note.rows)) throw damagedBackup(file, 'its rows are not as many as were noted');
};

const isSame = (left: Readonly<Record<string, unknown>>, right: Readonly<Record<string, unknown>>): boolean =>
  Object.keys({ ...left, ...right }).every((key) => left[key] === right[key]);

const occupied = (target: string): TieoutError =>
  new TieoutError({
    code: 'E_RESTORE_EXISTS',
    recovery: 'usage',
    message: `${target} is there already.`,
    nextStep: 'Move it away, or give --replace to have the backup take its place.',
  });

const otherBackup = (folder: string, lack: string, { entities, copies }: BackupNote): TieoutError =>
  new TieoutError({
    code: 'E_BACKUP_OTHER',
    recovery: 'usage',
    message: `${folder} holds ${lack}: it is ${copies.map(({ name }) => name).join(' and ')}${entities.length > 0 ? ` of ${entities.join(', ')}` : ''}.`,
    nextStep: 'Name the configuration that was backed up, or the ledger alone with --ledger.',
  });
