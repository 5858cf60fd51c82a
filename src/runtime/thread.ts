import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { DefectError, TieoutError } from '../kernel/errors.ts';
import { readError, type WrittenError } from '../kernel/written-error.ts';

/** What goes to a thread. What is asked has a number. */
export type Asked =
  | { readonly number: number; readonly message: unknown }
  | { readonly cancel: number }
  | 'end';
/** What was thrown there. */
export type Failed = { readonly failed: WrittenError } | { readonly defect: unknown };
/** What comes back of it: answers by their numbers, and in the end what hindered it from putting away what it holds. */
export type Answered =
  | ({ readonly number: number } & ({ readonly answer: unknown } | Failed))
  | { readonly atEnd: Failed };

/** Another thread of this process, which answers what it is asked. What is sent is copied. */
export type Thread = {
  /**
   * Several may be under way. With the signal it leaves off at the next place where nothing is lost by it, and
   * answers all the same.
   *
   * @throws what was thrown there: a designed error with its code, any other as it was
   */
  readonly ask: (message: unknown, signal?: AbortSignal) => Promise<unknown>;
  /** Have it put away what it holds, and end. Nothing may be under way. @throws what hindered it */
  readonly close: () => Promise<void>;
};

/** Where V8 makes new objects in a thread, at the most. */
const YOUNG_MB_MAX = 64;

/**
 * One of the halves of it, from the beginning. It would begin at one megabyte and could not grow once `holdYoungSpace`
 * holds that of this thread, because the factor of growth is that of the process: then half of the time goes into
 * looking for what no one needs.
 */
const HALF_MB_MIN = 16;

/**
 * Keep V8 from replacing code of WebAssembly that threads share, and from freeing what it replaced: now and then it
 * frees what it does not have any more, and ends the process ("Check failed: jit_page_->allocations_.erase(addr) == 1",
 * nodejs/node issue 64500, seen with Node 24.21 in `Runtime_TierUpWasmToJSWrapper`). Threads use WebAssembly only to
 * strip types from modules.
 */
const KEEP_WASM_CODE = ['--wasm-wrapper-tiering-budget=1000000000', '--no-wasm-code-gc'];

/** Start a module that calls `inThread`, and hand it `data`. */
export const startThread = (module: URL, data: unknown): Thread => {
  // They are heeded by the threads that are still to come.
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
    recovery: 'retry',
    message: 'a thread of this process needs more memory than it may have',
    nextStep:
      'Run the same command again: it continues where it stopped. Where that does not help, raise the limit: NODE_OPTIONS=--max-old-space-size=8192',
  });
