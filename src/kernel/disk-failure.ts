import { TieoutError } from './errors.ts';
import { systemReason } from './system-reason.ts';

/** Codes of the operating system for a disk that fails, is full or is gone, or for a damaged file system. */
const FAILURES: ReadonlySet<string> = new Set([
  'EBADMSG',
  'EDQUOT',
  'EIO',
  'ENODEV',
  'ENOSPC',
  'ENXIO',
  'EREMOTEIO',
  'ESTALE',
]);
/** The code of errors that Node has no name for, such as a damaged file system (EUCLEAN). */
const UNNAMED = /^Unknown system error/;

/** Whether a code of the operating system means a failing disk, and not a fault of the request. */
export const isDiskFailure = (code: string): boolean => FAILURES.has(code) || UNNAMED.test(code);

/**
 * Describe an error of a failing disk; `undefined` for any other error. The error of an open file does not contain
 * its path, so callers that know it pass it as `place`.
 */
export const diskFailure = (error: unknown, place?: string): TieoutError | undefined => {
  if (!(error instanceof Error) || error instanceof TieoutError) return undefined;
  const { code = '', path = 'A file' } = error as NodeJS.ErrnoException;
  if (!isDiskFailure(code)) return undefined;
  return new TieoutError({
    code: 'E_DISK_FAILED',
    message: `${place ?? path} could not be read or written, because the disk failed (${code})`,
    nextStep:
      'Check the disk, its connection and its free space, then run again; the run continues where it stopped',
    cause: error,
  });
};

/** Codes of the operating system for a missing permission. */
const REFUSALS: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Describe an error of a file or folder that the user may not read or write; `undefined` for any other error. */
const accessRefused = (error: unknown): TieoutError | undefined => {
  const { code = '', path } = (error ?? {}) as NodeJS.ErrnoException;
  if (!(error instanceof Error) || path === undefined || !REFUSALS.has(code)) return undefined;
  return new TieoutError({
    code: 'E_ACCESS_REFUSED',
    message: `${path} cannot be read or written: ${systemReason(error)}`,
    nextStep: 'Give this user the right to it, or name another place, then run again',
    cause: error,
  });
};

/** Return the designed error for an error: itself, a disk failure or a missing permission; `undefined` for a defect. */
export const designedError = (error: unknown): TieoutError | undefined =>
  error instanceof TieoutError ? error : (diskFailure(error) ?? accessRefused(error));
