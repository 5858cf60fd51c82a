import { absolute, add, formatMoney, ZERO } from '../../kernel/money.ts';
import type { Reason } from './reason.ts';
import { partOf } from './variance-part.ts';

/** The number of reasons that a sale has at most: Detail has a place for each, and every sum is made from these. */
export const REASONS_MAX = 3;

/**
 * Bring the reasons of a sale into the places that there are for them, with the same sum. Where there are more, one of a
 * code that another has joins that one; else the smallest joins the one beside it of the same part of the variance, as
 * the proof of that one then says.
 */
export const inPlaces = (reasons: readonly Reason[]): readonly Reason[] => {
  if (reasons.length <= REASONS_MAX) return reasons;
  const [joining, into] = pairIn(reasons, isSameCode) ?? pairIn(reasons, isSamePart) ?? [];
  if (!joining || !into) return reasons;
  const joined: Reason = {
    code: into.code,
    amount: add(into.amount, joining.amount),
    proof: `${into.proof}; with ${formatMoney(absolute(joining.amount))} of ${joining.code}: ${joining.proof}`,
  };
  return inPlaces(
    reasons
      .filter((reason) => reason !== joining)
      .map((reason) => (reason === into ? joined : reason))
      .filter(({ amount }) => amount !== ZERO),
  );
};

type Likeness = (left: Reason, right: Reason) => boolean;

const isSameCode: Likeness = (left, right) => left.code === right.code;

/** There are fewer parts than places, so that of more reasons two are of one part. */
const isSamePart: Likeness = (left, right) => partOf(left.code) === partOf(right.code);

/** Returns the smallest reason that is like another, and the other: the last one before it, or the first after it. */
const pairIn = (reasons: readonly Reason[], isAlike: Likeness): readonly [Reason, Reason] | undefined => {
  const bySize = [...reasons].sort((left, right) => Math.abs(left.amount) - Math.abs(right.amount));
  for (const joining of bySize) {
    const at = reasons.indexOf(joining);
    const fits = (reason: Reason): boolean => isAlike(joining, reason);
    const into = reasons.slice(0, at).findLast(fits) ?? reasons.slice(at + 1).find(fits);
    if (into) return [joining, into];
  }
  return undefined;
};
