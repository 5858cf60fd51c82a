import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readError, TieoutError } from '../kernel/errors.ts';
import { ANSWERS, type AnswerMessage, type BatchMessage, type Boss, batchesOf } from './take-batches.ts';

export type HandOutOptions = {
  /** A worker without a heartbeat for this long counts as lost, and its batch goes to another one; at least 10. */
  readonly lostAfterSeconds: number;
  /** How long to wait for any sign of work by a worker. */
  readonly patienceSeconds: number;
};

const POLL_MS = 200;
const ANSWERS_AT_ONCE = 100;
/** How often to look for lost workers. */
const LOOK_EVERY_MS = 1_000;
/** Everything of a close that handing out batches concerns. */
export type HandOut = HandOutOptions & {
  /** The entity of the close. Workers of others do not see its batches. */
  readonly entity: string;
  /** May end a wait before the work begins, by throwing. */
  readonly waiting: () => void;
};

/**
 * Work with workers that take their batches from the queue. Batches that an earlier run has left are removed or, if
 * begun, waited for; and when the work ends, however it ends, batches that no worker has begun are withdrawn. The
 * caller must be the only one that hands out batches in this database: the run lock ensures that.
 */
export const handOut = async <Result>(
  boss: Boss,
  options: HandOut,
  work: (ask: AskWorker) => Promise<Result>,
): Promise<Result> => {
  await clear(boss, options);
  // Where the database has gone, the next run removes them.
  return work(askQueue(boss, options)).finally(() => withdraw(boss, options).catch(() => {}));
};

/** Has a worker do a batch, and returns its answer. `waiting` is called repeatedly, and ends the wait by throwing. */
type AskWorker = (work: string, waiting: () => void) => Promise<string>;

/** A batch that has been handed out and not been answered. */
type Left = {
  readonly work: string;
  readonly waiting: () => void;
  readonly resolve: (result: string) => void;
  readonly reject: (error: unknown) => void;
};

/** Returns a function that puts a batch on the queue and returns the answer of the worker that took it. */
const askQueue = (boss: Boss, options: HandOut): AskWorker => {
  const { lostAfterSeconds, patienceSeconds } = options;
  const batches = batchesOf(options.entity);
  const patienceMs = patienceSeconds * 1000;
  const left = new Map<string, Left>();
  let lookedMs = Number.NEGATIVE_INFINITY;
  let isListening = false;
  let refusal = '';
  let heardMs = 0;

  const heard = (): void => {
    heardMs = performance.now();
  };

  const add = async (asked: Left): Promise<void> => {
    const message: BatchMessage = { work: asked.work };
    const id = randomUUID();
    // A worker may answer before the queue has confirmed the batch.
    left.set(id, asked);
    await boss.ask((queue) => queue.send(batches, message, { id, heartbeatSeconds: lostAfterSeconds }));
  };

  const accept = async ({ batch, outcome, worker }: AnswerMessage): Promise<void> => {
    const asked = left.get(batch);
    // When two workers have done the same batch, both send an answer.
    if (asked === undefined) return;
    if ('failed' in outcome) throw readError(outcome.failed, worker);
    left.delete(batch);
    if ('done' in outcome) return asked.resolve(outcome.done);
    refusal = ` The last one there was ${worker}, and it refused: ${outcome.refused}.`;
    await add(asked);
  };

  const checkPatience = async (): Promise<void> => {
    if (performance.now() - heardMs < patienceMs) return;
    const jobs = await boss.ask((queue) => queue.findJobs(batches));
    if (!jobs.some(({ state }) => state === 'active')) throw noWorkers(patienceSeconds, refusal);
    heard();
  };

  /** Handle the answers that have arrived, or pause if there are none. */
  const hear = async (): Promise<void> => {
    if (performance.now() - lookedMs >= LOOK_EVERY_MS) {
      lookedMs = performance.now();
      await boss.ask((queue) => queue.supervise(batches));
    }
    const answers = await boss.ask((queue) =>
      queue.fetch<AnswerMessage>(ANSWERS, { batchSize: ANSWERS_AT_ONCE }),
    );
    const ids = answers.map(({ id }) => id);
    if (ids.length > 0) await boss.ask((queue) => queue.deleteJob(ANSWERS, ids));
    for (const { data } of answers) await accept(data);
    for (const { waiting } of left.values()) waiting();
    if (answers.length > 0) heard();
    else {
      await checkPatience();
      await pause(POLL_MS);
    }
  };

  /** Listen while anyone waits for an answer. What ends it ends every wait. */
  const listen = async (): Promise<void> => {
    if (isListening) return;
    isListening = true;
    heard();
    try {
      while (left.size > 0) await hear();
    } catch (error) {
      for (const { reject } of left.values()) reject(error);
      left.clear();
    } finally {
      isListening = false;
    }
  };

  return async (work, waiting) => {
    const { promise, ...settle } = Promise.withResolvers<string>();
    // It may fail before anyone awaits it.
    promise.catch(() => {});
    await add({ work, waiting, ...settle });
    void listen();
    return promise;
  };
};

/**
 * Remove what an earlier run has left, and wait for batches still in progress: no record may be processed twice at the
 * same time. A lost worker is waited for until it counts as lost.
 */
const clear = async (boss: Boss, { entity, waiting }: HandOut): Promise<void> => {
  const batches = batchesOf(entity);
  for (;;) {
    await boss.ask((queue) => queue.supervise(batches));
    await withdraw(boss, { entity });
    const jobs = await boss.ask((queue) => queue.findJobs(batches));
    if (jobs.length === 0) return;
    waiting();
    await pause(POLL_MS);
  }
};

/** Withdraw all batches that are not yet started, and delete all answers. */
const withdraw = (boss: Boss, { entity }: Pick<HandOut, 'entity'>): Promise<void> =>
  boss.ask(async (queue) => {
    for (const name of [batchesOf(entity), ANSWERS]) {
      await queue.deleteQueuedJobs(name);
      await queue.deleteStoredJobs(name);
    }
  });

const noWorkers = (patienceSeconds: number, refusal: string): TieoutError =>
  new TieoutError({
    code: 'E_WORKERS_ABSENT',
    message: `no worker has taken a batch for ${patienceSeconds} s, or five were lost over one.${refusal}`,
    nextStep:
      'Start `tieout worker` with the same configuration and run the same command again, or run it without --workers',
  });
