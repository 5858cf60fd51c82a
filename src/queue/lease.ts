import { TieoutError } from '../kernel/errors.ts';

/** The right to work on a batch, which ends unless it is renewed in time. */
export type Lease = {
  /** The queue has heard at this moment, by `performance.now()`, that the worker lives. */
  readonly renewed: (atMs: number) => void;
  /** Somebody else has it. */
  readonly lost: () => void;
  /** @throws {TieoutError} E_BATCH_LOST when the batch may be somebody else's by now */
  readonly check: () => void;
};

/** The part of the time behind which nothing new is begun, so that what is under way arrives before it is over. */
const USABLE = 0.8;

/**
 * A batch goes to somebody else when its worker has not been heard of for so many seconds, by the clock of the
 * database. The worker counts from before it asks, so that its own time is always over first: one that was suspended,
 * or cut off from the database, begins nothing any more when it wakes up.
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
    recovery: 'retry',
    message: 'the batch was not renewed in time, and another worker may have it by now',
    nextStep: 'Nothing is to be done: what this worker has done of it stays done',
  });
