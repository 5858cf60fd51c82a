import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, lesser, type Money, negate, ZERO } from '../../kernel/money.ts';
import { filedId, isCorrectionId, isReversalId } from '../sales/correction-id.ts';
import { countedAs } from './counted-as.ts';
import type { DetailRow } from './detail-row.ts';
import { inKeyOrder } from './period-totals.ts';
import type { RefundLink } from './refund-link.ts';

/**
 * Tax that a period gave back in a state for orders of earlier periods, or for unknown ones: by their refunds, and by
 * corrections of what was filed. Negative.
 */
export type EarlierTax = { readonly state: string; readonly amount: Money };

/** What is needed of a row of Detail that is of an earlier period, or corrects a filed record. */
export type LateRow = Pick<DetailRow, 'id' | 'kind' | 'state' | 'businessDate' | 'isPosted' | 'collected'>;

export const isLateRow = (
  { id, businessDate }: LateRow,
  { first }: { readonly first: CalendarDate },
): boolean => isCorrectionId(id) || businessDate < first;

export const lateRowOf = ({ id, kind, state, businessDate, isPosted, collected }: LateRow): LateRow => ({
  ...{ id, kind, state, businessDate, isPosted, collected },
});

/** Tax of an order with late rows, in one state. */
type OrderTax = {
  readonly state: string;
  amount: Money;
  /** Whether the period itself has what was first filed of it; `undefined` if no late row says so. */
  isOwn: boolean | undefined;
};

/** Tax of a refund that was reversed, until its new version names its order. */
type ReversedRefund = { amount: Money; isCounted: boolean };

/**
 * Sums that tax by state. A refund of an order of the period gives back what the period charged; this one does not, so the
 * two must not be one net amount where no return has them. All rows of one order count together, its refunds and
 * corrections alike: what they add was charged, and what they take off was given back.
 *
 * All late rows come before the refunds.
 */
export const earlierTaxGivenBack = (period: { readonly first: CalendarDate }) => {
  const { first } = period;
  const given = new Map<string, EarlierTax>();
  const orders = new Map<string, OrderTax>();
  const reversed = new Map<string, ReversedRefund>();

  const orderOf = (id: string, state: string): OrderTax =>
    entry(orders, keyOf(id, state), () => ({ state, amount: ZERO, isOwn: undefined }));

  return {
    seeRow: (row: LateRow): void => {
      const { id, state, businessDate, isPosted, collected } = row;
      if (!isPosted || !isLateRow(row, period)) return;
      if (countedAs(row).kind === 'refund') {
        // Other rows of refunds have links.
        if (!isReversalId(id)) return;
        const refund = entry(reversed, keyOf(filedId(id), state), () => ({ amount: ZERO, isCounted: false }));
        refund.amount = add(refund.amount, collected);
        return;
      }
      const order = orderOf(filedId(id), state);
      order.amount = add(order.amount, collected);
      if (!isCorrectionId(id)) order.isOwn = true;
      else if (isReversalId(id)) order.isOwn ||= businessDate >= first;
    },
    see: ({ id, order: orderId, state, orderDate, taxRelieved }: RefundLink): void => {
      const known = orders.get(keyOf(filedId(orderId), state));
      if (known?.isOwn ?? (orderDate !== undefined && orderDate >= first)) return;
      const refund = reversed.get(keyOf(filedId(id), state));
      const amount = negate(taxRelieved);
      if (!known && !refund) {
        given.set(state, { state, amount: add(given.get(state)?.amount ?? ZERO, amount) });
        return;
      }
      const order = orderOf(filedId(orderId), state);
      order.amount = add(order.amount, amount);
      if (!refund || refund.isCounted) return;
      order.amount = add(order.amount, refund.amount);
      refund.isCounted = true;
    },
    all: (): readonly EarlierTax[] => {
      const sums = new Map(given);
      for (const { state, amount, isOwn } of orders.values())
        if (isOwn !== true)
          sums.set(state, { state, amount: add(sums.get(state)?.amount ?? ZERO, lesser(amount, ZERO)) });
      return inKeyOrder(sums).filter(({ amount }) => amount !== ZERO);
    },
  };
};

const keyOf = (id: string, state: string): string => JSON.stringify([id, state]);

const entry = <Value>(map: Map<string, Value>, key: string, create: () => Value): Value => {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
};
