import type { Json } from '../kernel/digest.ts';

/** Others who do pieces of work, each described by data, wherever they run. */
export type Workers = {
  /** Items of a piece of work, about. */
  readonly itemsPerPiece: number;
  /**
   * Have every piece of work done by some worker. A piece may be begun more than once, when a worker is lost, but its
   * result is told once. When one cannot be done, or `waiting` throws, the others are withdrawn.
   *
   * @param done is told each result, in any order
   * @param waiting is called again and again, and may end the waiting by throwing
   */
  readonly doAll: (
    pieces: AsyncIterable<Json>,
    done: (result: Json) => void,
    waiting: () => void,
  ) => Promise<void>;
};

/**
 * Somebody who does one piece of work after the other. `waiting` may be called again and again, and may end the work by
 * throwing; with the signal the work is left off, and settled all the same.
 */
export type Worker = (piece: Json, waiting: () => void, signal: AbortSignal) => Promise<Json>;

/** Several workers, of which anyone who is free takes the next piece. When one fails the others leave off. */
export const workerPool = (itemsPerPiece: number, workers: readonly Worker[]): Workers => ({
  itemsPerPiece,
  doAll: async (pieces, done, waiting) => {
    const remaining = pieces[Symbol.asyncIterator]();
    const failed = new AbortController();
    let failure: { readonly error: unknown } | undefined;
    const takeTurns = async (worker: Worker): Promise<void> => {
      for (;;) {
        const next = await remaining.next();
        if (next.done || failure) return;
        done(await worker(next.value, waiting, failed.signal));
        waiting();
      }
    };
    await Promise.all(
      workers.map((worker) =>
        takeTurns(worker).catch((error: unknown) => {
          failure ??= { error };
          failed.abort();
        }),
      ),
    );
    if (failure) throw failure.error;
  },
});

/** Workers of which the first one that is free does each piece; while none is, pieces wait in their order. */
export const firstFree = (
  workers: readonly Worker[],
): ((piece: Json, waiting: () => void) => Promise<Json>) => {
  const free = [...workers];
  const queue: ((worker: Worker) => void)[] = [];
  const never = new AbortController().signal;
  return async (piece, waiting) => {
    const worker = free.shift() ?? (await new Promise<Worker>((resolve) => queue.push(resolve)));
    try {
      return await worker(piece, waiting, never);
    } finally {
      const next = queue.shift();
      if (next) next(worker);
      else free.push(worker);
    }
  };
};
