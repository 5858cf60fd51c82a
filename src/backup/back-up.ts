import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { damageOf } from '../database/connect.ts';
import { copySqliteFile } from '../database/sqlite-file.ts';
import { TieoutError } from '../kernel/errors.ts';
import { filesBelow, publishFolder, sha256OfFile } from '../runtime/publish-folder.ts';

/** What a backup copies, by absolute paths. */
export type Kept = {
  /** The folder of the configuration: what lies below it has the same place in the backup. */
  readonly root: string;
  /** Files and folders, in the order in which they are copied. */
  readonly files: readonly string[];
  /** SQLite files that others may be using. */
  readonly databases: readonly string[];
};

/** What a backup holds. */
export type BackupNote = {
  readonly format: 3;
  readonly program: string;
  readonly copies: readonly {
    readonly file: string;
    readonly sha256: string;
  }[];
};

const NOTE_FILE = 'backup.json';

/**
 * Copies what no close can make again to a new folder. The register of locks comes before the locked folders, which may
 * be one line ahead of it, and the databases last: a close brings about in them what they lack.
 *
 * @throws {TieoutError} E_FOLDER_NOT_EMPTY, E_OUTPUT_UNWRITABLE, E_OUTPUT_FULL, and those of a database
 */
export const backUp = async (
  { root, files, databases }: Kept,
  folder: string,
  program: string,
): Promise<BackupNote> => {
  await refuseFilled(folder);
  const copies: BackupNote['copies'][number][] = [];
  const note: BackupNote = { format: 3, program, copies };
  await publishFolder(folder, async (staging) => {
    const placeOf = async (from: string): Promise<string> => {
      const place = join(staging, nameIn(root, from));
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      return place;
    };
    for (const from of files)
      await cp(from, await placeOf(from), { recursive: true, preserveTimestamps: true });
    for (const from of databases) {
      const copy = await placeOf(from);
      await copySqliteFile(from, copy);
      const damage = damageOf({ engine: 'sqlite', place: copy });
      if (damage) throw damage;
    }
    for (const file of await filesBelow(staging))
      copies.push({ file, sha256: await sha256OfFile(join(staging, file)) });
    const text = `${JSON.stringify(note, null, 2)}\n`;
    await writeFile(join(staging, NOTE_FILE), text, { mode: 0o600, flush: true });
  });
  return note;
};

/** Returns the place in the backup of a file or folder. What lies elsewhere has a folder of its own. */
const nameIn = (root: string, from: string): string => {
  const steps = relative(root, from).split(sep);
  const isBelow = steps[0] !== '..';
  return isBelow ? join(...steps) : join('elsewhere', ...steps.filter((step) => step !== '..'));
};

/** Refuses a folder with content: a backup never replaces anything. */
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
