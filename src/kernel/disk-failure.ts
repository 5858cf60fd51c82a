import { TieoutError } from './errors.ts';

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

/** An error as it was designed: its own, or that of a disk; `undefined` for a defect. */
export const designedError = (error: unknown): TieoutError | undefined =>
  error instanceof TieoutError ? error : diskFailure(error);
