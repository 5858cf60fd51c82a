import { TieoutError } from './errors.ts';
import { systemReason } from './system-reason.ts';

/** What the operating system says when a disk fails or is full, is gone, or has a damaged file system. */
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
/** How Node tells those that it has no name for, such as a file system that finds itself damaged (EUCLEAN). */
const UNNAMED = /^Unknown system error/;

/** Whether a code of the operating system speaks of the disk, and not of what was asked of it. */
export const isDiskFailure = (code: string): boolean => FAILURES.has(code) || UNNAMED.test(code);

/**
 * An error of a disk that fails, in words; `undefined` for any other. The error of an open file does not say which one
 * it is, so anyone who knows the place says it.
 */
export const diskFailure = (error: unknown, place?: string): TieoutError | undefined => {
  if (!(error instanceof Error) || error instanceof TieoutError) return undefined;
  const { code = '', path = 'A file' } = error as NodeJS.ErrnoException;
  if (!isDiskFailure(code)) return undefined;
  return new TieoutError({
    code: 'E_DISK_FAILED',
    recovery: 'retry',
    message: `${place ?? path} could not be read or written, because the disk failed (${code})`,
    nextStep:
      'Check the disk, its connection and its free space, then run again; the run continues where it stopped',
    cause: error,
  });
};

/** What the operating system says when a user may not do what was asked for. */
const REFUSALS: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** An error of a file or folder that the user may not read or write, in words; `undefined` for any other. */
const accessRefused = (error: unknown): TieoutError | undefined => {
  const { code = '', path } = (error ?? {}) as NodeJS.ErrnoException;
  if (!(error instanceof Error) || path === undefined || !REFUSALS.has(code)) return undefined;
  return new TieoutError({
    code: 'E_ACCESS_REFUSED',
    recovery: 'fix-config',
    message: `${path} cannot be read or written: ${systemReason(error)}`,
    nextStep: 'Give this user the right to it, or name another place, then run again',
    cause: error,
  });
};

/** An error as it was designed: its own, that of a disk, or of a right that is missing; `undefined` for a defect. */
export const designedError = (error: unknown): TieoutError | undefined =>
  error instanceof TieoutError ? error : (diskFailure(error) ?? accessRefused(error));
