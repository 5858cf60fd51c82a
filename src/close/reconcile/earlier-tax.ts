import type { CalendarDate } from '../../kernel/calendar.ts';
import { type Money, subtract, ZERO } from '../../kernel/money.ts';
import { inKeyOrder } from './period-totals.ts';
import type { RefundLink } from './refund-link.ts';

/** Tax that refunds of a period gave back in a state, of orders before the period or of unknown ones; negative. */
export type EarlierTax = { readonly state: string; readonly amount: Money };

/**
 * Sums that tax by state. A refund of an order of the period gives back what the period charged; this one does not, so the
 * two must not be one net amount where no return has them.
 */
export const earlierTaxGivenBack = ({ first }: { readonly first: CalendarDate }) => {
  const given = new Map<string, EarlierTax>();
  return {
    see: ({ state, orderDate, taxRelieved }: RefundLink): void => {
      if (taxRelieved === ZERO || (orderDate !== undefined && orderDate >= first)) return;
      given.set(state, { state, amount: subtract(given.get(state)?.amount ?? ZERO, taxRelieved) });
    },
    all: (): readonly EarlierTax[] => inKeyOrder(given),
  };
};
