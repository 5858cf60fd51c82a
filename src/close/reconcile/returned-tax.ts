import { ZERO } from '../../kernel/money.ts';
import type { DraftException } from './exceptions.ts';

/** The next step for tax that a return takes, although nothing was due. */
export const RETURNED_TODO =
  'Nothing where it is remitted: the return pays the tax collected in the state, or the tax due if that is more. To give it to the customers instead, refund it in the shop, export again and close again.';

/**
 * Marks tax charged without nexus in a state whose return takes the tax collected there, so that it is not to be refunded
 * by default.
 */
export const withReturnedTax = (
  drafts: readonly DraftException[],
  remitting: ReadonlySet<string>,
): readonly DraftException[] =>
  drafts.map((draft) =>
    draft.code === 'R10' && draft.effect > ZERO && remitting.has(draft.state)
      ? { ...draft, isReturned: true }
      : draft,
  );
