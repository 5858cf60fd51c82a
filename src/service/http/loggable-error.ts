import { TieoutError } from '../../kernel/errors.ts';

const FRAME = /^\s+at /;

/**
 * Return the parts of an error that may be logged. Messages of errors that are not ours can quote the value that caused
 * them, and database errors contain whole rows, so of those only the kind, the code and the stack are kept.
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
