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

/** Sales of one piece of work: two pages. */
const SALES_PER_PIECE = 512;

/** To begin takes a thread about a second, and it takes memory: with fewer sales that wins nothing. */
const SALES_MIN = 50_000;

/** What one other thread reads of an export costs as much to hand over as it saves (docs/benchmarks.md). */
const OTHERS_THAT_READ = 2;

/** Pieces that a thread has been given: the next one waits there while this thread is busy. */
const PIECES_AT_THREAD = 3;

/** Of them, the share that is enough for threads which have begun already. */
const SHARE_OF_BEGUN = 20;

type Options = Pick<CloseThreadData, 'content' | 'version'> & ThreadOptions;

/**
 * Work with a close of which other threads do their share, one for each further processor as far as the memory
 * reaches. They begin with the first piece that they are given, if not before. Only a close with the embedded service has them: with
 * a remote one it mostly waits.
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

/** Ask the thread of a number, which begins with the first that it is asked. */
type AskThread = (number: number, batch: Batch, signal?: AbortSignal) => Promise<unknown>;

/** What the stages ask of this thread and of so many others. */
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
      // Somebody has changed the tax content since the close has read it.
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

/** Have all threads put away what they hold; gives what hindered them. */
const closed = async (
  threads: readonly (Thread | undefined)[],
): Promise<readonly PromiseRejectedResult[]> => {
  const ends = await Promise.allSettled(threads.map((thread) => thread?.close()));
  return ends.filter((end) => end.status === 'rejected');
};

/** Databases in memory are those of one thread. */
const canBeShared = ({ configuration: { service, databases } }: ClosePorts): boolean =>
  service.url === undefined && !Object.values(databases).includes('sqlite::memory:');
