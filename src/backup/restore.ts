import { lstat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { refuseUsedFile, replaceSqliteFile, SIDE_FILES } from '../database/sqlite-copy.ts';
import {
  type FileSurvey,
  type LackingRows,
  rowsLackingIn,
  surveySqliteFile,
} from '../database/survey-sqlite-file.ts';
import { damageOf } from '../database/with-database.ts';
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

/** Databases that the backup may replace. A missing or empty database is always replaced. */
export type Replacing = {
  /** Whether damaged databases may be replaced. */
  readonly damaged: boolean;
  /** Files to replace although they are sound: what was written after the backup is lost. */
  readonly sound: readonly string[];
};

/** The result for one database. */
export type Restored = {
  readonly note: CopyNote;
  readonly file: string;
  readonly was: DatabaseCondition;
  /** `false` when it was sound and left as it was. */
  readonly isReplaced: boolean;
};

/**
 * Restore the databases of a backup. Everything is checked before anything is written: the note, the digest, the pages,
 * the rows and the schema of each copy, and the databases now in their places. Sound databases stay, unless they are
 * named in `replacing.sound`.
 *
 * @throws {TieoutError} E_BACKUP_MISSING, E_BACKUP_DAMAGED, E_BACKUP_OTHER, E_RESTORE_EXISTS, E_RESTORE_SOUND,
 * E_RESTORE_OTHER, E_DATABASE_NEWER, E_DATABASE_IN_USE, E_BACKUP_ENGINE, and those of a database
 */
export const restore = async (
  folder: string,
  databases: readonly KeptDatabase[],
  { replacing, entities }: { readonly replacing: Replacing; readonly entities: readonly string[] },
): Promise<readonly Restored[]> => {
  const note = await readNote(folder);
  const stranger = entities.find((entity) => !note.entities.includes(entity));
  if (stranger !== undefined) throw otherBackup(folder, `nothing of ${stranger}`, note);
  const restorations = databases.map((database): Restoration => {
    const copyNote = note.copies.find((copy) => isOf(copy, database));
    if (!copyNote)
      throw otherBackup(
        folder,
        `no ${ownedText(database)}${database.entities.length === 0 ? '' : ' alone'}`,
        note,
      );
    return {
      copy: join(folder, nameOfCopy(copyNote)),
      note: copyNote,
      target: resolve(fileOf(database)),
      database,
    };
  });
  refuseUnknown(restorations, replacing);
  for (const restoration of restorations) await checkCopy(restoration);
  const standing = new Map<Restoration, DatabaseCondition>();
  for (const restoration of restorations) standing.set(restoration, await conditionIn(restoration.target));
  const wanted = restorations.filter((restoration) => {
    const { target } = restoration;
    const was = standing.get(restoration);
    if (was === 'damaged' && !replacing.damaged) throw occupied(target);
    return was !== 'sound' || replacing.sound.includes(target);
  });
  if (wanted.length === 0) throw sound(restorations);
  for (const { target } of wanted) await refuseUsedFile(target);
  for (const { copy, target, note: copyNote, database } of wanted) {
    await replaceSqliteFile(copy, target);
    refuseDifference(target, surveySqliteFile(target, database.sets), copyNote);
  }
  return restorations.map((restoration) => ({
    note: restoration.note,
    file: restoration.target,
    was: standing.get(restoration) ?? 'missing',
    isReplaced: wanted.includes(restoration),
  }));
};

type Owned = Pick<KeptDatabase, 'kind' | 'entities'>;

/**
 * Whether a copy is of a database: of its kind, and used by the same entities. Their order in the configuration, and with
 * it the name of the copy, may have changed since.
 */
const isOf = (copy: Owned, database: Owned): boolean =>
  copy.kind === database.kind &&
  copy.entities.length === database.entities.length &&
  database.entities.every((entity) => copy.entities.includes(entity));

const ownedText = ({ kind, entities }: Owned): string =>
  `${kind} of ${entities.length === 0 ? 'a served service' : entities.join(', ')}`;

const checkCopy = async ({ copy, note, database }: Restoration): Promise<void> => {
  await refuseUnlikeWritten(copy);
  const sha256 = await sha256OfFile(copy).catch((error: unknown) => {
    throw damagedBackup(copy, 'it cannot be read', error);
  });
  if (sha256 !== note.sha256) throw damagedBackup(copy, 'its digest is not the one that was noted');
  const survey = surveySqliteFile(copy, database.sets);
  for (const { name } of database.sets)
    if (!(name in survey.schema)) throw damagedBackup(copy, `it holds no tables of a ${name}`);
  refuseDifference(copy, survey, note);
};

/**
 * Refuse a copy that is a link or has side files of SQLite: a backup writes plain files without any, so this is not
 * what it wrote.
 */
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
    message: `${target} is there already, and damaged.`,
    nextStep: 'Copy it elsewhere, then give --replace to have the backup take its place.',
  });

const sound = (restorations: readonly Restoration[]): TieoutError =>
  new TieoutError({
    code: 'E_RESTORE_SOUND',
    message: `Nothing is missing or damaged, so nothing was replaced: ${restorations.map(({ copy, target }) => givenUp(copy, target)).join('; ')}.`,
    nextStep: `To go back to the backup all the same and give that up, name the file: ${restorations.map(({ target }) => `--set-back ${target}`).join(' or ')}.`,
  });

const refuseUnknown = (restorations: readonly Restoration[], { sound: named }: Replacing): void => {
  const files = restorations.map(({ target }) => target);
  const unknown = named.find((file) => !files.includes(file));
  if (unknown === undefined) return;
  throw new TieoutError({
    code: 'E_RESTORE_OTHER',
    message: `${unknown} is not one of the databases that are restored.`,
    nextStep: `Name one of them: ${files.join(', ')}.`,
  });
};

const otherBackup = (folder: string, lack: string, { copies }: BackupNote): TieoutError =>
  new TieoutError({
    code: 'E_BACKUP_OTHER',
    message: `${folder} holds ${lack}: it is ${copies.map(ownedText).join(' and ')}.`,
    nextStep: 'Name the configuration that was backed up, or the service database alone with --ledger.',
  });

/** The condition of the database now at the target: only a sound one has something to lose. */
type DatabaseCondition = 'missing' | 'empty' | 'damaged' | 'sound';

/** Return the condition of the database at a path. @throws {TieoutError} E_DATABASE_FOREIGN, those of a database */
const conditionIn = async (path: string): Promise<DatabaseCondition> => {
  if (!(await exists(path))) return 'missing';
  try {
    const { rows } = surveySqliteFile(path, []);
    // Rows that no command can read are damage, too, although every page is sound.
    if (damageOf({ engine: 'sqlite', place: path }, 'quick_check')) return 'damaged';
    const isEmpty = Object.entries(rows).every(([table, count]) => count === 0 || OF_SCHEMA.test(table));
    return isEmpty ? 'empty' : 'sound';
  } catch (error) {
    if (error instanceof TieoutError && error.code === 'E_DATABASE_DAMAGED') return 'damaged';
    throw error;
  }
};

/** The tables in which migrations are recorded. */
const OF_SCHEMA = /_migration(_lock)?$/;

/** Describe what a sound database contains and the backup lacks. */
const givenUp = (copy: string, path: string): string => {
  const lacking = rowsLackingIn(copy, path);
  return lacking.length === 0
    ? `${path} holds nothing that the backup lacks`
    : `${path} holds ${lacking.map(rowsText).join(', ')}, which the backup lacks or has otherwise`;
};

const rowsText = ({ table, count, first }: LackingRows): string =>
  count === 1 ? `1 row of ${table} (${first})` : `${count} rows of ${table} (${first} and others)`;
