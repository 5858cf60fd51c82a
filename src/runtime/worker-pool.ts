import type { Json } from '../kernel/digest.ts';

/** Workers that do pieces of work, each described by data, wherever they run. */
export type Workers = {
  /** Approximate number of items per piece of work. */
  readonly itemsPerPiece: number;
  /**
   * Have every piece of work done by some worker. A piece may be started more than once when a worker is lost, but its
   * result is reported once. When a piece fails, or `waiting` throws, the others are withdrawn.
   *
   * @param done receives each result, in any order
   * @param waiting is called repeatedly, and may end the wait by throwing
   */
  readonly doAll: (
    pieces: AsyncIterable<Json>,
    done: (result: Json) => void,
    waiting: () => void,
  ) => Promise<void>;
  /**
   * Have the first free worker do a single piece. `waiting` is as above. Absent if handing single pieces over gains
   * nothing.
   */
  readonly ask?: (piece: Json, waiting: () => void) => Promise<Json>;
};

/**
 * A worker that does one piece of work at a time. `waiting` may be called repeatedly, and may end the work by throwing.
 * When the signal aborts, the work stops early and still settles.
 */
export type Worker = (piece: Json, waiting: () => void, signal: AbortSignal) => Promise<Json>;

/** Build a pool in which the next free worker takes the next piece. When one fails, the others stop. */
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

/** Return a function that gives each piece to the first free worker; when none is free, pieces wait in order. */
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
