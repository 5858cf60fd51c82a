import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../kernel/digest.ts';
import { TieoutError } from '../kernel/errors.ts';
import { readError } from '../kernel/written-error.ts';
import type { Workers } from '../runtime/worker-pool.ts';
import type { AnswerMessage, BatchMessage } from './messages.ts';
import { ANSWERS, BATCHES, type Boss } from './open-boss.ts';

export type HandOutOptions = {
  /** A worker without a heartbeat for this long counts as lost, and its batch goes to another one; at least 10. */
  readonly lostAfterSeconds: number;
  /** Approximate number of items per batch. */
  readonly itemsPerBatch: number;
  /** How long to wait for any sign of work by a worker. */
  readonly patienceSeconds: number;
};

/** Maximum batches on the queue: enough for every worker, and few enough to be withdrawn at once. */
const AHEAD_MAX = 64;
const POLL_MS = 200;
const ANSWERS_AT_ONCE = 100;
/** How often to look for lost workers. */
const LOOK_EVERY_MS = 1_000;

/**
 * Workers that take their work from the queue. The caller must be the only one that hands out batches in this database:
 * the run lock ensures that.
 */
export const queuedWorkers = (boss: Boss, options: HandOutOptions): Workers => ({
  itemsPerPiece: options.itemsPerBatch,
  doAll: async (pieces, done, waiting) => {
    await clear(boss, waiting);
    const handing = handOutTo(boss, options);
    try {
      for await (const piece of pieces) {
        await handing.add(piece);
        while (handing.left() >= AHEAD_MAX) await handing.hear(done, waiting);
      }
      while (handing.left() > 0) await handing.hear(done, waiting);
    } finally {
      await withdraw(boss);
    }
  },
});

type Handing = {
  readonly add: (piece: Json) => Promise<void>;
  readonly left: () => number;
  /** Process the answers of workers, or wait for a moment when there are none. */
  readonly hear: (done: (result: Json) => void, waiting: () => void) => Promise<void>;
};

const handOutTo = (boss: Boss, { lostAfterSeconds, patienceSeconds }: HandOutOptions): Handing => {
  const left = new Map<string, Json>();
  const look = every(LOOK_EVERY_MS, () => boss.ask((queue) => queue.supervise(BATCHES)));
  let refusal = '';
  let heardMs = performance.now();

  const add = async (work: Json): Promise<void> => {
    const message: BatchMessage = { work };
    const id = await boss.ask((queue) =>
      queue.send(BATCHES, message, { heartbeatSeconds: lostAfterSeconds }),
    );
    left.set(String(id), work);
  };

  const accept = async (answer: AnswerMessage, done: (result: Json) => void): Promise<void> => {
    const work = left.get(answer.batch);
    // When two workers have done the same batch, both send an answer.
    if (work === undefined) return;
    const { outcome, worker } = answer;
    if ('failed' in outcome) throw readError(outcome.failed, worker);
    left.delete(answer.batch);
    if ('done' in outcome) return done(outcome.done);
    refusal = ` The last one there was ${worker}, and it refused: ${outcome.refused}.`;
    await add(work);
  };

  const checkPatience = async (): Promise<void> => {
    if (performance.now() - heardMs < patienceSeconds * 1000) return;
    const jobs = await boss.ask((queue) => queue.findJobs(BATCHES));
    if (!jobs.some(({ state }) => state === 'active')) throw noWorkers(patienceSeconds, refusal);
    heardMs = performance.now();
  };

  return {
    add,
    left: () => left.size,
    hear: async (done, waiting) => {
      await look();
      const answers = await boss.ask((queue) =>
        queue.fetch<AnswerMessage | BatchMessage>(ANSWERS, { batchSize: ANSWERS_AT_ONCE }),
      );
      if (answers.length > 0) await boss.ask((queue) => queue.complete(ANSWERS, answers));
      for (const { data } of answers) {
        if ('work' in data) throw givenUp();
        await accept(data, done);
      }
      waiting();
      if (answers.length > 0) heardMs = performance.now();
      else {
        await checkPatience();
        await pause(POLL_MS);
      }
    },
  };
};

/**
 * Remove what an earlier run has left, and wait for batches still in progress: no record may be processed twice at the
 * same time. A lost worker is waited for until it counts as lost.
 */
const clear = async (boss: Boss, waiting: () => void): Promise<void> => {
  for (;;) {
    await boss.ask((queue) => queue.supervise(BATCHES));
    await withdraw(boss);
    const jobs = await boss.ask((queue) => queue.findJobs(BATCHES));
    if (jobs.length === 0) return;
    waiting();
    await pause(POLL_MS);
  }
};

/** Withdraw all batches that are not yet started, and delete all answers. */
const withdraw = (boss: Boss): Promise<void> =>
  boss.ask(async (queue) => {
    for (const name of [BATCHES, ANSWERS]) {
      await queue.deleteQueuedJobs(name);
      await queue.deleteStoredJobs(name);
    }
  });

/** Return a function that does the work when called, but not more often than this. */
const every = (milliseconds: number, work: () => Promise<void>): (() => Promise<void>) => {
  let lastMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - lastMs < milliseconds) return;
    lastMs = performance.now();
    await work();
  };
};

const noWorkers = (patienceSeconds: number, refusal: string): TieoutError =>
  new TieoutError({
    code: 'E_WORKERS_ABSENT',
    recovery: 'retry',
    message: `no worker has taken a batch for ${patienceSeconds} s.${refusal}`,
    nextStep:
      'Start `tieout worker` with the same configuration and run the same command again, or run it without --workers',
  });

const givenUp = (): TieoutError =>
  new TieoutError({
    code: 'E_WORKERS_LOST',
    recovery: 'retry',
    message: 'a batch was given up after five workers were lost over it',
    nextStep: 'See why they ended, for example for want of memory, and run the same command again',
  });
