import type { ThreadOptions } from '../../cli/io.ts';
import type { ClosePorts, Threads } from '../../close/stages/run/close-ports.ts';
import type { Batch } from '../../close/stages/sharing/batch.ts';
import type { BatchOutcome } from '../../close/stages/sharing/run-batch.ts';
import { DefectError } from '../../kernel/errors.ts';
import { othersHere } from '../../runtime/others-here.ts';
import { startThread, type Thread } from '../../runtime/thread.ts';
import { firstFree, type Worker, workerPool } from '../../runtime/worker-pool.ts';
import { closeBatchDoer } from './batch-stages.ts';
import type { CloseThreadData } from './close-thread.ts';

/** Number of sales per piece of work: two pages. */
const SALES_PER_PIECE = 512;

/** Minimum number of sales: a thread takes about a second to start, and memory, which does not pay off for fewer. */
const SALES_MIN = 50_000;

/**
 * With only one other thread, handing over what it reads of an export costs as much as it saves (docs/benchmarks.md).
 */
const OTHERS_THAT_READ = 2;

/** Pieces queued at a thread, so that the next one is ready there while this thread is busy. */
const PIECES_AT_THREAD = 3;

/** Once threads are started, the minimum number of sales is divided by this. */
const SHARE_OF_BEGUN = 20;

type Options = Pick<CloseThreadData, 'content' | 'version'> & ThreadOptions;

/**
 * Runs a close with additional threads, one per further processor as far as memory allows. They start with their first
 * piece of work, if not before. Only a close with the embedded service uses them: with a remote one it mostly waits.
 */
export const withThreads = async <Result>(
  ports: ClosePorts,
  { content, version, others = othersHere(), salesMin = SALES_MIN }: Options,
  work: (ports: ClosePorts) => Promise<Result>,
): Promise<Result> => {
  if (others < 1 || !canBeShared(ports)) return work(ports);
  const { file, resolvePath, resolveUrl, ...configuration } = ports.configuration;
  const data: CloseThreadData = { file, configuration, content, version, output: ports.output };
  const begun: (Thread | undefined)[] = [];
  let underWay = 0;
  const thread = (number: number): Thread =>
    (begun[number] ??= startThread(new URL('./close-thread.ts', import.meta.url), data));
  const ask: AskThread = async (number, batch, signal) => {
    underWay += 1;
    try {
      return await thread(number).ask(batch, signal);
    } finally {
      underWay -= 1;
    }
  };
  const end = async (): Promise<void> => {
    const [hindered] = await closed(begun.splice(0));
    if (hindered) throw hindered.reason;
  };
  const begin = (): void => {
    for (let number = 0; number < others; number += 1) thread(number);
  };
  const rest = async (): Promise<void> => {
    if (underWay === 0) await end();
  };
  let result: Result;
  try {
    const enough = () => (begun.length > 0 ? salesMin / SHARE_OF_BEGUN : salesMin);
    result = await work({ ...ports, threads: { ...threadsOf(ports, others, enough, ask), begin, rest } });
  } catch (error) {
    await closed(begun);
    throw error;
  }
  await end();
  return result;
};

/** Sends a batch to the thread with this number; the first batch starts the thread. */
type AskThread = (number: number, batch: Batch, signal?: AbortSignal) => Promise<unknown>;

/** Distributes the work of the stages over this thread and a number of others. */
const threadsOf = (
  ports: ClosePorts,
  others: number,
  salesMin: () => number,
  ask: AskThread,
): Omit<Threads, 'begin' | 'rest'> => {
  const doBatch = closeBatchDoer([ports]);
  const own: Worker = async (piece, waiting) => {
    const outcome = await doBatch(piece as unknown as Batch, waiting);
    if ('done' in outcome) return outcome.done;
    throw new DefectError(`a close does not take its own batch: ${outcome.refused}`);
  };
  const other =
    (number: number): Worker =>
    async (piece, waiting, signal) => {
      const outcome = (await ask(number, piece as unknown as Batch, signal)) as BatchOutcome;
      // Someone changed the tax content after the close read it.
      return 'refused' in outcome ? own(piece, waiting, signal) : outcome.done;
    };
  const threads = Array.from({ length: others }, (_, number) => other(number));
  const places = [...Array.from({ length: PIECES_AT_THREAD }, () => threads).flat(), own];
  return {
    ...workerPool(SALES_PER_PIECE, [own, ...threads]),
    ...(others >= OTHERS_THAT_READ && { ask: firstFree(places) }),
    salesMin,
  };
};

/** Closes all threads and returns the errors that closing raised. */
const closed = async (
  threads: readonly (Thread | undefined)[],
): Promise<readonly PromiseRejectedResult[]> => {
  const ends = await Promise.allSettled(threads.map((thread) => thread?.close()));
  return ends.filter((end) => end.status === 'rejected');
};

/** Whether other threads can use the databases: a database in memory belongs to one thread. */
const canBeShared = ({ configuration: { service, databases } }: ClosePorts): boolean =>
  service.url === undefined && !Object.values(databases).includes('sqlite::memory:');
