import { type ErrorCode, type Recovery, recoveryOf } from './error-codes.ts';

/**
 * An error that Tieout designed: a code, a message with the place and the rule, and the next step as its own
 * sentence. Anything else that is thrown is a defect.
 */
export class TieoutError extends Error {
  readonly code: ErrorCode;
  /** Determines the exit code. */
  readonly recovery: Recovery;
  /** The next step, as a sentence for the person who reads the message. */
  readonly nextStep: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(options: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly nextStep: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly cause?: unknown;
  }) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.recovery = recoveryOf(options.code);
    this.nextStep = options.nextStep;
    this.details = options.details ?? {};
  }
}

/** An impossible state: a fault of the program and not of its user. Only the outermost frame catches it. */
export class DefectError extends TieoutError {
  constructor(message: string, details: Readonly<Record<string, unknown>> = {}) {
    super({
      code: 'E_DEFECT',
      message,
      nextStep: 'This is a defect in Tieout: please report it with the command you ran.',
      details,
    });
  }
}

/** Words for the error codes of the operating system; others are told as the system tells them. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EADDRINUSE: 'it is in use',
  EADDRNOTAVAIL: 'this machine has no such address',
  ECONNREFUSED: 'nothing answers there',
  ECONNRESET: 'it ended the connection',
  EEXIST: 'a file is where its folder should be',
  EISDIR: 'it is a folder',
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of its path is a file',
  ENOTFOUND: 'no one knows its name',
  EPERM: 'this user may not',
  EROFS: 'its file system can only be read',
  ETIMEDOUT: 'it did not answer in time',
};

/** Explain why a file or an address cannot be used, in words with the code, or else with the message of the error. */
export const systemReason = (error: unknown): string => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const words = REASONS[String(code)];
  return words === undefined ? String(message || code) : `${words} (${code})`;
};

/**
 * Codes of the operating system for a disk that fails, is full or is gone, or for a damaged file system, for which Node has
 * no name.
 */
const FAILURES = /^(?:EBADMSG|EDQUOT|EIO|ENODEV|ENOSPC|ENXIO|EREMOTEIO|ESTALE)$|^Unknown system error/;

/** Whether a code of the operating system means a failing disk, and not a fault of the request. */
export const isDiskFailure = (code: string): boolean => FAILURES.test(code);

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

/** Describe an error of a file or folder that the user may not read or write; `undefined` for any other error. */
const accessRefused = (error: unknown): TieoutError | undefined => {
  const { code = '', path } = (error ?? {}) as NodeJS.ErrnoException;
  if (!(error instanceof Error) || path === undefined || !/^(?:EACCES|EPERM|EROFS)$/.test(code))
    return undefined;
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

/** The exit codes of a run. Scripts rely on these numbers, so their meaning never changes. */
export const ExitCode = {
  /** Closed, and the policy allows everything that is open. */
  clean: 0,
  /** Closed, but the policy does not allow what is open. */
  open: 1,
  usage: 2,
  badInput: 65,
  unavailable: 69,
  defect: 70,
  locked: 75,
  configuration: 78,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

const BY_RECOVERY: Readonly<Record<Recovery, ExitCode>> = {
  usage: ExitCode.usage,
  'fix-input': ExitCode.badInput,
  retry: ExitCode.unavailable,
  defect: ExitCode.defect,
  wait: ExitCode.locked,
  'fix-config': ExitCode.configuration,
};

/** Return the exit code of an error: its recovery decides, and an error that was not designed is a defect. */
export const exitCodeOf = (error: unknown): ExitCode =>
  BY_RECOVERY[designedError(error)?.recovery ?? 'defect'];

/**
 * The order of severity when one command does several things: first problems that need a person (the program, the
 * configuration, the input), then those that another run may solve, then what is done but open.
 */
const WORST_FIRST: readonly ExitCode[] = [70, 2, 78, 65, 69, 75, 1];

/** Return the single exit code for several results. */
export const worstOf = (codes: readonly ExitCode[]): ExitCode =>
  WORST_FIRST.find((code) => codes.includes(code)) ?? ExitCode.clean;

/** An error in the form in which it is sent to another process or thread. */
export type WrittenError = Pick<TieoutError, 'code' | 'message' | 'nextStep'>;

/** Convert a designed error to data; `undefined` for a defect. */
export const writtenError = (error: unknown): WrittenError | undefined => {
  const designed = designedError(error);
  if (!designed) return undefined;
  const { code, message, nextStep } = designed;
  return { code, message, nextStep };
};

/** @param where the place it happened, if the message does not contain it */
export const readError = ({ message, ...error }: WrittenError, where?: string): TieoutError =>
  new TieoutError({ ...error, message: where === undefined ? message : `${message} (${where})` });
