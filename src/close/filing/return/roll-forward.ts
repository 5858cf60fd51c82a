import { add, atLeastZero, lesser, type Money, subtract, ZERO } from '../../../kernel/money.ts';
import type { Prepayments } from '../registration.ts';

/** The roll-forward of prepayments or credits over one period: `opening + added - used = closing`. */
export type RollForward = {
  readonly opening: Money;
  readonly added: Money;
  /** What later periods that are locked used already; a part of what is carried forward. */
  readonly usedLater: Money;
  readonly used: Money;
  readonly closing: Money;
};

/**
 * Applies the available balance to the amount owed, up to that amount; the rest is carried forward. What later periods
 * used already is not available.
 */
export const rollForward = (account: Prepayments | undefined, owed: Money): RollForward => {
  const { opening, added, usedLater = ZERO } = account ?? { opening: ZERO, added: ZERO };
  const available = atLeastZero(subtract(add(opening, added), usedLater));
  const used = lesser(available, atLeastZero(owed));
  return { opening, added, usedLater, used, closing: subtract(add(opening, added), used) };
};
