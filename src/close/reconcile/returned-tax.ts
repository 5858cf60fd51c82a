import { type Money, sum, ZERO } from '../../kernel/money.ts';
import type { DraftException } from './exceptions.ts';
import { isMaterial, type Materiality } from './materiality.ts';

/** The next step for tax that a return takes, although nothing was due. */
export const RETURNED_TODO =
  'Nothing where it is remitted: the return pays the tax collected in the state, or the tax due if that is more. To give it to the customers instead, refund it in the shop, export again and close again.';

/**
 * Marks tax charged without nexus in a state whose return takes the tax collected there, so that it is not to be refunded
 * by default. In a state where no return takes it, it is open if it is material.
 */
export const withReturnedTax = (
  drafts: readonly DraftException[],
  remitting: ReadonlySet<string>,
  collected: readonly { readonly state: string; readonly collected: Money }[],
  materiality: Materiality,
): readonly DraftException[] => {
  const charged = drafts.filter(({ code }) => code === 'R10');
  const ofStates = Map.groupBy(charged, ({ state }) => state);
  const isOnNoReturn = (state: string): boolean => {
    const kept = sum((ofStates.get(state) ?? []).map(({ effect }) => effect));
    // What refunds and reversals of other periods gave back there is not kept.
    const inAll = collected.find((each) => each.state === state)?.collected ?? ZERO;
    return [kept, inAll].every((amount) => amount > ZERO && isMaterial(amount, ZERO, materiality));
  };
  return drafts.map((draft) => {
    if (draft.code !== 'R10' || draft.effect <= ZERO) return draft;
    if (remitting.has(draft.state)) return { ...draft, isReturned: true };
    return isOnNoReturn(draft.state) ? { ...draft, severity: 'error' } : draft;
  });
};
