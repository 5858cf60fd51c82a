import type { CalendarDate } from '../../kernel/calendar.ts';
import type { DraftException } from './exceptions.ts';

/** The next step for tax that a return takes, although nothing was due. */
export const RETURNED_TODO =
  'Nothing where it is remitted: the return takes it. To give it to the customers instead, refund it in the shop, export again and close again.';

/**
 * Marks tax charged without nexus where a registration that counts for the period has a return of the state: the return
 * takes all tax collected there, so that tax is not to be refunded by default.
 */
export const withReturnedTax = (
  drafts: readonly DraftException[],
  registrations: readonly { readonly state: string; readonly since: string }[],
  { last }: { readonly last: CalendarDate },
): readonly DraftException[] => {
  const states = new Set(registrations.filter(({ since }) => since <= last).map(({ state }) => state));
  return drafts.map((draft) =>
    draft.code === 'R10' && states.has(draft.state) ? { ...draft, isReturned: true } : draft,
  );
};
