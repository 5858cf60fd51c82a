import { TieoutError } from '../kernel/errors.ts';

/** The right to work on a batch, which ends unless it is renewed in time. */
export type Lease = {
  /** Extend the lease: the worker sent a heartbeat at this time by `performance.now()`, and the queue received it. */
  readonly renewed: (atMs: number) => void;
  /** Record that another worker has the batch. */
  readonly lost: () => void;
  /** @throws {TieoutError} E_BATCH_LOST when another worker may have the batch by now */
  readonly check: () => void;
};

/** The part of the lease after which nothing new is started, so that work in progress is sent before the lease ends. */
const USABLE = 0.8;

/**
 * Create the lease of a batch. A batch goes to another worker when the heartbeat of its worker is missing for this many
 * seconds, by the clock of the database. The worker counts from before it sends a request, so that its own time always
 * ends first: one that was suspended, or cut off from the database, starts nothing more when it continues.
 */
export const leaseOf = (seconds: number, takenAtMs: number): Lease => {
  const usableMs = USABLE * seconds * 1000;
  let untilMs = takenAtMs + usableMs;
  let isLost = false;
  return {
    renewed: (atMs) => {
      untilMs = Math.max(untilMs, atMs + usableMs);
    },
    lost: () => {
      isLost = true;
    },
    check: () => {
      if (isLost || performance.now() > untilMs) throw lostBatch();
    },
  };
};

const lostBatch = (): TieoutError =>
  new TieoutError({
    code: 'E_BATCH_LOST',
    message: 'the batch was not renewed in time, and another worker may have it by now',
    nextStep: 'Nothing is to be done: what this worker has done of it stays done',
  });
