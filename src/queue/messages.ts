import { hostname } from 'node:os';
import { type WrittenError, writtenError } from '../kernel/errors.ts';

/** A message on the queue of batches. */
export type BatchMessage = { readonly work: string };

/** The answer of a worker about a batch. */
export type AnswerMessage = {
  readonly batch: string;
  /** The worker that answers: machine and process. */
  readonly worker: string;
  readonly outcome: Outcome;
};

/** What a worker says when it takes a batch, so that a loss can be told by its name. */
export type TakenMessage = { readonly taken: string; readonly worker: string };

export type Outcome =
  | { readonly done: string }
  /** This worker must not do it, but another one may. */
  | { readonly refused: string }
  | { readonly failed: WrittenError };

/** Convert an error of a worker to data, including a defect. */
export const serialisedError = (error: unknown): WrittenError =>
  writtenError(error) ?? {
    code: 'E_DEFECT',
    message: error instanceof Error ? error.message : String(error),
    nextStep: 'This is a defect in Tieout: please report it with what the worker printed.',
  };

/** Return the name of a worker. */
export const workerName = (processId: number): string => `worker ${processId} on ${hostname()}`;
