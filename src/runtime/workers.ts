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
