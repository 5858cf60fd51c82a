import type { Json } from '../kernel/digest.ts';
import type { Workers } from './workers.ts';

/**
 * Somebody who does one piece of work after the other. `waiting` may be called again and again, and may end the work by
 * throwing; with the signal the work is left off, and settled all the same.
 */
export type Hand = (piece: Json, waiting: () => void, signal: AbortSignal) => Promise<Json>;

/** Several hands, of which anyone who is free takes the next piece. When one fails the others leave off. */
export const sharedWork = (itemsPerPiece: number, hands: readonly Hand[]): Workers => ({
  itemsPerPiece,
  doAll: async (pieces, done, waiting) => {
    const remaining = pieces[Symbol.asyncIterator]();
    const failed = new AbortController();
    let failure: { readonly error: unknown } | undefined;
    const takeTurns = async (hand: Hand): Promise<void> => {
      for (;;) {
        const next = await remaining.next();
        if (next.done || failure) return;
        done(await hand(next.value, waiting, failed.signal));
        waiting();
      }
    };
    await Promise.all(
      hands.map((hand) =>
        takeTurns(hand).catch((error: unknown) => {
          failure ??= { error };
          failed.abort();
        }),
      ),
    );
    if (failure) throw failure.error;
  },
});
