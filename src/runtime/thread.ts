import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { type MessagePort, parentPort, Worker } from 'node:worker_threads';
import { DefectError, readError, TieoutError, type WrittenError, writtenError } from '../kernel/errors.ts';
import type { Stopping } from './pipeline.ts';

/** A message to a thread. Requests are numbered. */
export type Asked =
  | { readonly number: number; readonly message: unknown }
  | { readonly cancel: number }
  | 'end';
/** The error that was thrown in the thread. */
export type Failed = { readonly failed: WrittenError } | { readonly defect: unknown };
/** A message from a thread: an answer by its number, or at the end the error that closing its resources raised. */
export type Answered =
  | ({ readonly number: number } & ({ readonly answer: unknown } | Failed))
  | { readonly atEnd: Failed };

/** Another thread of this process, which answers messages. Messages are copied. */
export type Thread = {
  /**
   * Send a message and wait for its answer; several may be pending. When the signal aborts, the work stops at the next
   * point where nothing is lost, and still answers.
   *
   * @throws what was thrown there: a designed error with its code, any other as it was
   */
  readonly ask: (message: unknown, signal?: AbortSignal) => Promise<unknown>;
  /** Have the thread close its resources and end. No message may be pending. @throws the error of closing them */
  readonly close: () => Promise<void>;
};

/** Maximum size of V8's space for new objects in a thread. */
const YOUNG_MB_MAX = 64;

/**
 * Initial size of each half of that space. By default it starts at one megabyte, and it could not grow once
 * `capYoungGeneration` limits that of this thread, because the growth factor is per process: half of the time would go
 * into garbage collection.
 */
const HALF_MB_MIN = 16;

/**
 * Keep V8 from replacing WebAssembly code that threads share, and from freeing the replaced code: now and then it frees
 * code twice and ends the process ("Check failed: jit_page_->allocations_.erase(addr) == 1", nodejs/node issue 64500,
 * seen with Node 24.21 in `Runtime_TierUpWasmToJSWrapper`). Threads use WebAssembly only to strip types from modules.
 */
const KEEP_WASM_CODE = ['--wasm-wrapper-tiering-budget=1000000000', '--no-wasm-code-gc'];

/** Start a thread with a module that calls `inThread`, and pass it `data`. */
export const startThread = (module: URL, data: unknown): Thread => {
  // These flags apply to threads that start later.
  for (const flag of [`--min-semi-space-size=${HALF_MB_MIN}`, ...KEEP_WASM_CODE]) setFlagsFromString(flag);
  const worker = new Worker(module, {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB_MAX },
  });
  const underWay = new Map<number, PromiseWithResolvers<unknown>>();
  let failure: { readonly error: unknown } | undefined;
  let endedWith: Failed | undefined;
  let count = 0;

  const fail = (error: unknown): void => {
    failure ??= { error };
    for (const { reject } of underWay.values()) reject(failure.error);
    underWay.clear();
  };
  worker.on('message', (answered: Answered) => {
    if ('atEnd' in answered) {
      endedWith = answered.atEnd;
      return;
    }
    const asked = underWay.get(answered.number);
    underWay.delete(answered.number);
    if ('answer' in answered) asked?.resolve(answered.answer);
    else asked?.reject(thrownThere(answered));
  });
  worker.on('error', (error) => fail(isOutOfMemory(error) ? outOfMemory() : error));
  worker.on('exit', () => fail(new DefectError('a thread has ended that was needed')));
  const send = (asked: Asked): void => worker.postMessage(asked);

  return {
    ask: async (message, signal) => {
      if (failure) throw failure.error;
      count += 1;
      const number = count;
      const asked = Promise.withResolvers<unknown>();
      underWay.set(number, asked);
      send({ number, message });
      const cancel = () => send({ cancel: number });
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        return await asked.promise;
      } finally {
        signal?.removeEventListener('abort', cancel);
      }
    },
    close: async () => {
      if (failure) return;
      const exit = once(worker, 'exit');
      send('end');
      await exit;
      if (endedWith) throw thrownThere(endedWith);
    },
  };
};

const thrownThere = (failed: Failed): unknown =>
  'failed' in failed ? readError(failed.failed) : failed.defect;

const isOutOfMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

const outOfMemory = (): TieoutError =>
  new TieoutError({
    code: 'E_MEMORY_SHORT',
    message: 'a thread of this process needs more memory than it may have',
    nextStep:
      'Run the same command again: it continues where it stopped. Where that does not help, raise the limit: NODE_OPTIONS=--max-old-space-size=8192',
  });

/** `cancelled` tells whether to abandon the work that the message started. */
type Answer = (message: unknown, cancelled: Stopping) => Promise<unknown>;

/**
 * Run a thread from start to end. `work` builds its resources, calls `answerAsked`, which answers all messages from
 * `startThread` until the thread is told to end, and then closes the resources. An error while building them is the
 * answer to every message; an error while closing them is reported at the end.
 */
export const inThread = async (
  work: (answerAsked: (answer: Answer) => Promise<void>) => Promise<void>,
): Promise<void> => {
  const port = parentPort;
  if (!port) throw new DefectError('no one asks: this is the main thread');
  let isToEnd = false;
  const answerAsked = async (answer: Answer): Promise<void> => {
    await answerUntilEnd(port, answer);
    isToEnd = true;
  };
  try {
    await work(answerAsked);
  } catch (error) {
    if (isToEnd) tell(port, { atEnd: failedWith(error) });
    else await answerAsked(() => Promise.reject(error));
  }
  port.close();
};

const answerUntilEnd = async (port: MessagePort, answer: Answer): Promise<void> => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const cancelledWork = new Map<number, boolean>();

  const hear = async (asked: Asked): Promise<void> => {
    if (asked === 'end') return end();
    if ('cancel' in asked) {
      if (cancelledWork.has(asked.cancel)) cancelledWork.set(asked.cancel, true);
      return;
    }
    const { number, message } = asked;
    cancelledWork.set(number, false);
    const outcome = await outcomeOf(() =>
      answer(message, { isAsked: () => cancelledWork.get(number) === true }),
    );
    cancelledWork.delete(number);
    tell(port, { number, ...outcome });
  };
  port.on('message', (asked: Asked) => void hear(asked));
  await ended;
};

const tell = (port: MessagePort, answered: Answered): void => port.postMessage(answered);

const outcomeOf = async (work: () => Promise<unknown>): Promise<{ readonly answer: unknown } | Failed> => {
  try {
    return { answer: await work() };
  } catch (error) {
    return failedWith(error);
  }
};

const failedWith = (error: unknown): Failed => {
  const failed = writtenError(error);
  return failed ? { failed } : { defect: error };
};

/** More than a few threads would wait for each other's writes. */
const OTHERS_MAX = 3;

/** Free memory required per thread, counting the first: twice what a thread uses. */
const MEMORY_PER_THREAD = 512 * 1024 * 1024;

/** Return how many threads besides this one the processors and the memory of this machine have room for. */
export const othersHere = (): number =>
  Math.min(
    OTHERS_MAX,
    availableParallelism() - 1,
    Math.floor(process.availableMemory() / MEMORY_PER_THREAD) - 1,
  );
