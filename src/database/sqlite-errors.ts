import { isDiskFailure } from '../kernel/disk-failure.ts';
import { TieoutError } from '../kernel/errors.ts';

type Place = { readonly path: string; readonly busyWaitMs: number };
type Wording = (place: Place, reason: string) => TieoutError;

export const foreignFile = (path: string): TieoutError =>
  new TieoutError({
    code: 'E_DATABASE_FOREIGN',
    recovery: 'fix-config',
    message: `${path} is not a database of Tieout; it was left untouched.`,
    nextStep: 'Name another file in the database address, or move this one away.',
  });

const busy: Wording = ({ path, busyWaitMs }) =>
  new TieoutError({
    code: 'E_DATABASE_BUSY',
    recovery: 'wait',
    message: `${path} is being written by another process and did not become free within ${busyWaitMs} ms.`,
    nextStep: 'Wait until the other process has finished, then run again.',
  });

export const damagedFile: Wording = ({ path }, reason) =>
  new TieoutError({
    code: 'E_DATABASE_DAMAGED',
    recovery: 'fix-input',
    message: `${path} is damaged: ${reason}.`,
    nextStep: 'Put a copy back with `tieout restore`, or move the file away and run again to build it anew.',
  });

const inaccessible: Wording = ({ path }, reason) =>
  new TieoutError({
    code: 'E_DATABASE_ACCESS',
    recovery: 'fix-config',
    message: `${path} cannot be opened for writing: ${reason}.`,
    nextStep: 'Check that the path is right and that this user may write the file and its folder.',
  });

const unstored: Wording = ({ path }, reason) =>
  new TieoutError({
    code: 'E_DATABASE_STORAGE',
    recovery: 'retry',
    message: `${path} could not be read or written: ${reason}.`,
    nextStep: 'Check the disk and its free space, then run again; nothing half-done was kept.',
  });

/** SQLite's primary result codes, https://www.sqlite.org/rescode.html, that are not a defect of ours. */
const WORDINGS: Readonly<Record<number, Wording>> = {
  3: inaccessible,
  5: busy,
  8: inaccessible,
  10: unstored,
  11: damagedFile,
  13: unstored,
  14: inaccessible,
  23: inaccessible,
  26: ({ path }) => foreignFile(path),
};

const SYSTEM_CODES = new Set(['EACCES', 'EPERM', 'EISDIR', 'ENOTDIR', 'EEXIST', 'EROFS', 'ENOENT']);

/** An error of SQLite or of the file system in words; `undefined` for what should not happen. */
export const sqliteError = (error: unknown, place: Place): TieoutError | undefined => {
  if (error instanceof TieoutError) return error;
  const { errcode, errstr, code, message } = error as Record<string, unknown>;
  // The low byte is the primary code; what stands above it only says more precisely which.
  if (typeof errcode === 'number') return WORDINGS[errcode & 0xff]?.(place, String(errstr));
  if (isDiskFailure(String(code))) return unstored(place, String(message));
  return SYSTEM_CODES.has(String(code)) ? inaccessible(place, String(message)) : undefined;
};
