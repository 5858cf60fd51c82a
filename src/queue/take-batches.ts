import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from 'pg-boss';
import { TieoutError } from '../kernel/errors.ts';
import type { Stopping } from '../runtime/pipeline.ts';
import {
  ANSWERS,
  type AnswerMessage,
  type BatchMessage,
  type Boss,
  batchesOf,
  type Lease,
  leaseOf,
  type Outcome,
  serialisedError,
} from './open-boss.ts';

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
