import { compareText } from '../../kernel/compare-text.ts';
import { money, sum } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { type ClaimedDiscounts, yearlyCaps } from './claimed-discounts.ts';
import { ACCOUNTS, type Taken, type TakenOver } from './taken-over.ts';

/** A closing with what it took over and what it would take over, as far as that is known. */
type Taker = {
  readonly period: FilingPeriod;
  readonly took: TakenOver | undefined;
  readonly takes: TakenOver | undefined;
};

/** What the return of a state in a closing took over, and what it would take over. */
type TakenBy = {
  readonly label: string;
  readonly state: string;
  readonly old: Taken;
  readonly current: Taken;
};

/**
 * Returns the labels of the closings that took over something else than other periods leave to them. What such a closing
 * leaves is not final either, so those that take it over are among them.
 *
 * @param closings those that are not locked
 * @param claimed what the returns of these closings claimed
 */
export const takersOfOtherAmounts = async (
  closings: readonly Taker[],
  claimed: ClaimedDiscounts,
): Promise<ReadonlySet<string>> => {
  // By label, the states whose amounts differ, and whether the return may leave more now than it did.
  const found = new Map<string, ReadonlyMap<string, boolean>>();
  const claimsOther = otherDiscounts(claimed);
  for (const { period, took, takes } of closings.toSorted(byEnd)) {
    if (took === undefined || takes === undefined) continue;
    const { label } = period;
    const states = new Map<string, boolean>();
    for (const [state, old] of Object.entries(took.states)) {
      const current = takes.states[state] ?? { from: [] };
      const before = old.from.flatMap((each) => found.get(each)?.get(state) ?? []);
      const isOther =
        ACCOUNTS.some((account) => old[account] !== current[account]) ||
        JSON.stringify(old.settled) !== JSON.stringify(current.settled) ||
        hasOtherUse(old, current);
      const mayBeMore = ACCOUNTS.some((account) => old[account] !== undefined) && before.includes(true);
      const mayBeLess = totalOf(old) > 0 && before.length > 0;
      if (await claimsOther({ label, state, old, current })) states.set(state, totalOf(current) > 0);
      if (isOther || mayBeMore || mayBeLess) states.set(state, mayBeMore || totalOf(current) > totalOf(old));
    }
    const isAmended = took.versions.join() !== takes.versions.join();
    if (states.size > 0 || isAmended) found.set(label, states);
  }
  return new Set(found.keys());
};

/**
 * Whether later locked periods used something else than a closing left to them. One of which none had used anything, and
 * that amends nothing, left whatever they took over when they were locked.
 */
const hasOtherUse = (old: Taken, current: Taken): boolean =>
  old.usedLater !== undefined &&
  ACCOUNTS.some((account) => (old.usedLater?.[account] ?? 0) !== (current.usedLater?.[account] ?? 0));

/**
 * Returns whether a return would claim another discount: what earlier returns leave of a yearly cap has changed and
 * matters to it, or one of these would claim another discount itself. Asked of earlier returns first.
 */
const otherDiscounts = (claimed: ClaimedDiscounts): ((of: TakenBy) => Promise<boolean>) => {
  const found = new Set<string>();
  return async ({ label, state, old, current }) => {
    const [then, now] = [claimedBefore(old), claimedBefore(current)];
    const own = then === now ? undefined : await claimed(label, state);
    const isLimited =
      own !== undefined && yearlyCaps(state).some((cap) => own > cap - Math.max(then, now) - FORM_ROUNDING);
    const isOther =
      isLimited || Object.keys(old.discounts ?? {}).some((earlier) => found.has(`${earlier} ${state}`));
    if (isOther) found.add(`${label} ${state}`);
    return isOther;
  };
};

/** A form may round the discount to whole dollars, so that it can be less than what is left of a cap. */
const FORM_ROUNDING = 100;

/** Returns what earlier returns of the year claimed, as far as it is known. */
const claimedBefore = ({ discounts = {} }: Taken): number =>
  sum(Object.values(discounts).map((each) => money(each ?? 0)));

/** A longer period takes over from those within it, so it follows them. */
const byEnd = ({ period: left }: Taker, { period: right }: Taker): number =>
  compareText(left.last, right.last) || compareText(right.first, left.first);

const totalOf = ({ prepayments = 0, credits = 0 }: Taken): number => prepayments + credits;
