import { designedError } from './disk-failure.ts';
import type { ErrorCode } from './error-codes.ts';
import { TieoutError } from './errors.ts';

/** An error in the form in which it is sent to another process or thread. */
export type WrittenError = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly nextStep: string;
};

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
