import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The variable with the folder in which a preloaded module keeps what the disk was asked to take. */
export const DISK_FOLDER = 'TIEOUT_TEST_DISK_FOLDER';

const DATABASES = ['workspace.db', 'ledger.db'] as const;

const pathsOf = (folder: string, database: string) =>
  [database, `${database}-wal`].map((name) => join(folder, name));

/** What the disk has of the databases of a shop: all of it, as no process is at work. */
export const settleDisk = async (shop: string, disk: string): Promise<void> => {
  await rm(disk, { recursive: true, force: true });
  await mkdir(disk);
  for (const database of DATABASES) await copyAll(join(shop, '.tieout'), disk, database);
};

/**
 * The power goes: of each database only that is left which the disk had taken by its last trip.
 *
 * @returns how many databases are others than the process left them
 */
export const losePower = async (shop: string, disk: string): Promise<number> => {
  const folder = join(shop, '.tieout');
  let setBack = 0;
  for (const database of DATABASES) {
    if (!(await isSame(folder, disk, database))) setBack += 1;
    for (const path of [...pathsOf(folder, database), join(folder, `${database}-shm`)])
      await rm(path, { force: true });
    await copyAll(disk, folder, database);
  }
  return setBack;
};

const copyAll = async (from: string, to: string, database: string): Promise<void> => {
  const targets = pathsOf(to, database);
  for (const [index, path] of pathsOf(from, database).entries())
    if (existsSync(path)) await copyFile(path, targets[index] as string);
};

const isSame = async (left: string, right: string, database: string): Promise<boolean> => {
  const bytes = (folder: string) =>
    Promise.all(
      pathsOf(folder, database).map((path) => (existsSync(path) ? readFile(path) : Buffer.alloc(0))),
    );
  return Buffer.concat(await bytes(left)).equals(Buffer.concat(await bytes(right)));
};
