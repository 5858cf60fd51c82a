import type { Outcome, Plant } from './sample-order.ts';
import type { ShopMistake } from './shop-mistake.ts';

/** What is fixed about an order; everything else is left to chance. */
export type OrderSpec = {
  readonly city?: string;
  /** Quantities and SKUs, `2 GEN-MUG01, 1 OUT-STV04`. */
  readonly cart?: string;
  readonly shipping?: string;
  readonly mistake?: ShopMistake;
  readonly status?: string;
  readonly cancelled?: boolean;
  readonly payment?: string;
  readonly channel?: 'pos' | 'download' | 'canada';
  readonly currency?: string;
  /** The ship-to ZIP as the file prints it. */
  readonly zip?: string;
  readonly note?: string;
  readonly noteAttributes?: string;
  readonly outcome?: Outcome;
  readonly plant?: Plant;
};

export const warning = (reason: string): Outcome => ({ kind: 'warning', reason });
export const review = (reason: string): Outcome => ({ kind: 'review', reason });
export const outside = (reason: string): Outcome => ({ kind: 'outside', reason });
export const ignored = (reason: string): Outcome => ({ kind: 'ignored', reason });
export const rejected = (reason: string): Outcome => ({ kind: 'rejected', reason });
