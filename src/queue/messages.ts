import { hostname } from 'node:os';
import type { Json } from '../kernel/digest.ts';
import { designedError } from '../kernel/disk-failure.ts';
import { type Recovery, TieoutError } from '../kernel/errors.ts';

/** What lies on the queue of batches. */
export type BatchMessage = { readonly work: Json };

/** What a worker says of a batch. */
export type AnswerMessage = {
  readonly batch: string;
  /** Who says it: machine and process. */
  readonly worker: string;
  readonly outcome: Outcome;
};

export type Outcome =
  | { readonly done: Json }
  /** This worker must not do it; another one may. */
  | { readonly refused: string }
  | { readonly failed: WrittenError };

/** An error on its way to another process. */
export type WrittenError = {
  readonly code: `E_${string}`;
  readonly recovery: Recovery;
  readonly message: string;
  readonly nextStep: string;
};

export const writtenError = (error: unknown): WrittenError => {
  const designed = designedError(error);
  if (designed) {
    const { code, recovery, message, nextStep } = designed;
    return { code, recovery, message, nextStep };
  }
  return {
    code: 'E_DEFECT',
    recovery: 'defect',
    message: error instanceof Error ? error.message : String(error),
    nextStep: 'This is a defect in Tieout: please report it with what the worker printed.',
  };
};

export const readError = ({ message, ...error }: WrittenError, worker: string): TieoutError =>
  new TieoutError({ ...error, message: `${message} (${worker})` });

/** How a worker calls itself. */
export const workerName = (processId: number): string => `worker ${processId} on ${hostname()}`;
