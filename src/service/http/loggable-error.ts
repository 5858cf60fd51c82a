import { TieoutError } from '../../kernel/errors.ts';

const FRAME = /^\s+at /;

/**
 * An error as it may stand in a log. Messages of errors that are not ours can quote the value they stumbled over, and
 * database errors carry whole rows, so of those only the kind, the code and the place are kept.
 */
export const loggableError = (error: unknown): object => {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    ...(code !== undefined && { code }),
    ...(error instanceof TieoutError && { message: error.message, nextStep: error.nextStep }),
    stack: (error.stack ?? '').split('\n').filter((line) => FRAME.test(line)),
    ...(error.cause !== undefined && { cause: loggableError(error.cause) }),
  };
};
