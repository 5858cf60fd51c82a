import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, lesser, type Money, negate, ZERO } from '../../kernel/money.ts';
import { filedId, isCorrectionId } from '../sales/correction-id.ts';
import { countedAs } from './counted-as.ts';
import type { DetailRow } from './detail-row.ts';
import { inKeyOrder } from './period-totals.ts';
import type { RefundLink } from './refund-link.ts';

/**
 * Tax that a period gave back in a state for earlier sales, or for unknown ones: by refunds of their orders, and by
 * corrections of their filed records. Negative.
 */
export type EarlierTax = { readonly state: string; readonly amount: Money };

/**
 * Sums that tax by state. A refund of an order of the period gives back what the period charged; this one does not, so the
 * two must not be one net amount where no return has them. The reversal of a filed record and its new version count
 * together: what they add was charged, and what they take off was given back.
 */
export const earlierTaxGivenBack = ({ first }: { readonly first: CalendarDate }) => {
  const given = new Map<string, EarlierTax>();
  const corrected = new Map<string, EarlierTax>();
  const correctsEarlier = (id: string, day: CalendarDate): boolean => isCorrectionId(id) && day < first;
  return {
    see: ({ id, refundDate, state, orderDate, taxRelieved }: RefundLink): void => {
      if (correctsEarlier(id, refundDate) || (orderDate !== undefined && orderDate >= first)) return;
      addTo(given, state, { state, amount: negate(taxRelieved) });
    },
    /** Counts a row of Detail if it corrects a record that was filed in an earlier period. */
    seeRow: (row: CorrectingRow): void => {
      const { id, channel, state, businessDate, isPosted, collected } = row;
      if (!isPosted || !correctsEarlier(id, businessDate)) return;
      const record = JSON.stringify([channel, countedAs(row).kind, filedId(id), state]);
      addTo(corrected, record, { state, amount: collected });
    },
    all: (): readonly EarlierTax[] => {
      const sums = new Map(given);
      for (const { state, amount } of corrected.values())
        addTo(sums, state, { state, amount: lesser(amount, ZERO) });
      return inKeyOrder(sums).filter(({ amount }) => amount !== ZERO);
    },
  };
};

/** The part of a row of Detail by which corrections are found and summed. */
export type CorrectingRow = Pick<
  DetailRow,
  'id' | 'kind' | 'channel' | 'state' | 'businessDate' | 'isPosted' | 'collected'
>;

const addTo = (sums: Map<string, EarlierTax>, key: string, { state, amount }: EarlierTax): void => {
  sums.set(key, { state, amount: add(sums.get(key)?.amount ?? ZERO, amount) });
};
