import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type Job, PgBoss } from 'pg-boss';
import type { Database } from '../database/connect.ts';
import { postgresError } from '../database/database-errors.ts';
import { TieoutError, type WrittenError, writtenError } from '../kernel/errors.ts';
import type { Stopping } from '../runtime/pipeline.ts';

const POLL_MS = 250;
/** Heartbeats of a worker within the time after which it counts as lost. */
const BEATS = 4;

/** A worker, and the entities whose batches it takes. */
export type Taker = { readonly name: string; readonly entities: readonly string[] };

export type Taking = {
  readonly stopping: Stopping;
  /** An error that it throws is sent to the close, which ends; the worker continues. */
  readonly work: (work: string, lease: Lease) => Promise<Outcome>;
  /** Called for every batch with its outcome. */
  readonly told: (outcome: Outcome) => void;
};

/**
 * Take batches and do them until asked to stop; a batch at work is finished first. A refused batch ends the loop,
 * because this worker would refuse the next one as well.
 *
 * @returns why it refused a batch, or `undefined` when it was asked to stop
 */
export const takeBatches = async (
  boss: Boss,
  { name: worker, entities }: Taker,
  taking: Taking,
): Promise<string | undefined> => {
  const queues = entities.map(batchesOf);
  while (!taking.stopping.isAsked()) {
    const takenAtMs = performance.now();
    const job = await nextOf(boss, queues);
    if (!job) {
      await pause(POLL_MS);
      continue;
    }
    const outcome = await doJob(boss, { job, takenAtMs, worker }, taking);
    if (outcome === undefined) continue;
    taking.told(outcome);
    if ('refused' in outcome) return outcome.refused;
  }
  return undefined;
};

/** Take a batch from the first of these queues that has one. */
const nextOf = async (boss: Boss, queues: readonly string[]): Promise<Job<BatchMessage> | undefined> => {
  for (const name of queues) {
    const [job] = await boss.ask((queue) => queue.fetch<BatchMessage>(name));
    if (job) return job;
  }
  return undefined;
};

type Taken = {
  readonly job: Job<BatchMessage>;
  readonly takenAtMs: number;
  readonly worker: string;
};

/** Do a batch; `undefined` when another worker has it by now and reports its outcome. */
const doJob = async (
  boss: Boss,
  { job, takenAtMs, worker }: Taken,
  { work }: Taking,
): Promise<Outcome | undefined> => {
  const seconds = job.heartbeatSeconds ?? job.expireInSeconds;
  const lease = leaseOf(seconds, takenAtMs);
  const beats = setInterval(() => void renew(boss, job, lease), (seconds * 1000) / BEATS);
  try {
    const outcome = await work(job.data.work, lease).catch((error: unknown): Outcome => {
      if (error instanceof TieoutError && error.code === 'E_BATCH_LOST') throw error;
      return { failed: serialisedError(error) };
    });
    lease.check();
    const answer: AnswerMessage = { batch: job.id, worker, outcome };
    // Send the answer first: if the worker is lost in between, the batch is done again and finds all of it recorded.
    await boss.ask((queue) => queue.send(ANSWERS, answer));
    await boss.ask((queue) => queue.deleteJob(job.name, job.id));
    return outcome;
  } catch (error) {
    if (error instanceof TieoutError && error.code === 'E_BATCH_LOST') return undefined;
    throw error;
  } finally {
    clearInterval(beats);
  }
};

/** Send the heartbeat of a batch. If the server does not answer, its state is unknown, and the lease ends by itself. */
const renew = async (boss: Boss, job: Job<BatchMessage>, lease: Lease): Promise<void> => {
  const atMs = performance.now();
  try {
    // The declared type of the answer lacks a field that the documentation promises.
    const { affected } = (await boss.ask((queue) => queue.touch(job.name, job))) as { affected?: number };
    if (affected === 1) lease.renewed(atMs);
  } catch (error) {
    if (!(error instanceof TieoutError)) throw error;
  }
};

/** pg-boss with its queues; `ask` puts the errors of the server into words. */
export type Boss = {
  readonly ask: <Result>(work: (boss: PgBoss) => Promise<Result>) => Promise<Result>;
};

/** The queue of answers. Only one close hands out batches in a database, whatever its entity. */
export const ANSWERS = 'answers';

/** Returns the name of the queue of batches of an entity, which wait or are in progress. */
export const batchesOf = (entity: string): string => `batches/${entity}`;

const SCHEMA = 'tieout_queue';
const CONNECTIONS_MAX = 3;
/** How many workers may be lost over one batch; with the next loss it is given up. */
const LOST_MAX = 4;
/** pg-boss also limits the time of a batch; only the heartbeat tells whether its worker is alive. */
const EXPIRY_SECONDS = 23 * 3600;

/** Open the queues of these entities in a database, create what is missing, work with them, and close them in any case. */
export const withBoss = async <Result>(
  url: string,
  { place, checkLock }: Pick<Database, 'place' | 'checkLock'>,
  entities: readonly string[],
  work: (boss: Boss) => Promise<Result>,
): Promise<Result> => {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'tieout queue',
    schema: SCHEMA,
    max: CONNECTIONS_MAX,
    schedule: false,
    // The close itself looks for lost workers while it waits for them.
    supervise: false,
    monitorIntervalSeconds: 1,
  });
  // A caller of `ask` gets its errors there.
  boss.on('error', () => {});
  const ask: Boss['ask'] = async (asked) => {
    checkLock();
    try {
      return await asked(boss);
    } catch (error) {
      throw postgresError(error, place) ?? error;
    }
  };
  try {
    await ask(async () => {
      await boss.start();
      await boss.createQueue(ANSWERS, { expireInSeconds: EXPIRY_SECONDS });
      for (const entity of entities)
        await boss.createQueue(batchesOf(entity), {
          expireInSeconds: EXPIRY_SECONDS,
          retryLimit: LOST_MAX,
        });
    });
    return await work({ ask });
  } finally {
    await boss.stop({ graceful: false });
  }
};

/** A message on the queue of batches. */
export type BatchMessage = { readonly work: string };

/** The answer of a worker about a batch. */
export type AnswerMessage = {
  readonly batch: string;
  /** The worker that answers: machine and process. */
  readonly worker: string;
  readonly outcome: Outcome;
};

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

/** The right to work on a batch, which ends unless it is renewed in time. */
export type Lease = ReturnType<typeof leaseOf>;

/** The part of the lease after which nothing new is started, so that work in progress is sent before the lease ends. */
const USABLE = 0.8;

/**
 * Create the lease of a batch. A batch goes to another worker when the heartbeat of its worker is missing for this many
 * seconds, by the clock of the database. The worker counts from before it sends a request, so that its own time always
 * ends first: one that was suspended, or cut off from the database, starts nothing more when it continues.
 */
const leaseOf = (seconds: number, takenAtMs: number) => {
  const usableMs = USABLE * seconds * 1000;
  let untilMs = takenAtMs + usableMs;
  return {
    /** Extend the lease: the worker sent a heartbeat at this time by `performance.now()`, and the queue received it. */
    renewed: (atMs: number): void => {
      untilMs = Math.max(untilMs, atMs + usableMs);
    },
    /** @throws {TieoutError} E_BATCH_LOST when another worker may have the batch by now */
    check: (): void => {
      if (performance.now() <= untilMs) return;
      throw new TieoutError({
        code: 'E_BATCH_LOST',
        message: 'the batch was not renewed in time, and another worker may have it by now',
        nextStep: 'You need not do anything: what this worker has done of it stays done',
      });
    },
  };
};
