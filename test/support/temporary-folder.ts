import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, where Linux has one. */
const IN_MEMORY = '/dev/shm';

/** What the files of all tests may take at once. */
const BYTES_NEEDED = 4 * 1024 ** 3;

/**
 * The one folder of a run for temporary files, removed at its end. It is in memory if there is room for it: tests wait
 * for the disk in thousands of small closes, and none of them takes the power away.
 */
export const setup = (): (() => void) => {
  const folder = mkdtempSync(join(hasRoom() ? IN_MEMORY : tmpdir(), 'tieout-tests-'));
  // The PostgreSQL server of the tests may run as another user.
  chmodSync(folder, 0o755);
  // The samples write two folders above their own, so what they leave there is removed as well.
  const files = join(folder, 'files');
  mkdirSync(files, { mode: 0o755 });
  process.env['TMPDIR'] = files;
  return () => rmSync(folder, { recursive: true, force: true });
};

const hasRoom = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= BYTES_NEEDED;
  } catch {
    return false;
  }
};
