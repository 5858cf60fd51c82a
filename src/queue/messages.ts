import { hostname } from 'node:os';
import type { Json } from '../kernel/digest.ts';
import { type WrittenError, writtenError } from '../kernel/written-error.ts';

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

/** An error of a worker, a defect among them, as data. */
export const serialisedError = (error: unknown): WrittenError =>
  writtenError(error) ?? {
    code: 'E_DEFECT',
    recovery: 'defect',
    message: error instanceof Error ? error.message : String(error),
    nextStep: 'This is a defect in Tieout: please report it with what the worker printed.',
  };

/** How a worker calls itself. */
export const workerName = (processId: number): string => `worker ${processId} on ${hostname()}`;
