import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, lesser, type Money, negate, subtract, ZERO } from '../../kernel/money.ts';
import { entryOf } from '../sales/corrections.ts';
import type { DetailRow } from './detail-row.ts';
import { inKeyOrder } from './period-totals.ts';
import type { RefundLink } from './refund-link.ts';

/**
 * Tax that a period gave back in a state for orders of earlier periods, or for unknown ones: by their refunds, and by
 * corrections of what was filed. Negative.
 */
export type EarlierTax = { readonly state: string; readonly amount: Money };

/** What is needed of a row of Detail that is of an earlier period, or corrects a filed record. */
export type LateRow = Pick<
  DetailRow,
  'channel' | 'id' | 'kind' | 'state' | 'businessDate' | 'isPosted' | 'collected'
>;

const isLateRow = (row: LateRow, { first }: { readonly first: CalendarDate }): boolean =>
  entryOf(row).number > 0 || row.businessDate < first;

/** Tax of an order or of a refund with late rows, in one state. */
type LateTax = {
  readonly state: string;
  amount: Money;
  /** The number of the first correction of an order, 0 if it was not filed before. */
  firstNumber: number;
  /** Whether the period has what was first filed of the order, or the order of the refund; `undefined` if no row says so. */
  isOwn: boolean | undefined;
};

/**
 * Sums that tax by state. A refund of an order of the period gives back what the period charged; this one does not, so the
 * two must not be one net amount where no return has them. The rows of an order that has late rows count together with its
 * refunds, and those of a corrected refund with one another: what they add was charged, what they take off was given back.
 * A refund that is reversed and has no new version was not given back: nothing names its order, so it counts with the state.
 *
 * All late rows come before the refunds.
 */
export const earlierTaxGivenBack = (period: { readonly first: CalendarDate }) => {
  const { first } = period;
  const given = new Map<string, EarlierTax>();
  const [orders, refunds] = [new Map<string, LateTax>(), new Map<string, LateTax>()];

  return {
    seeRow: (row: LateRow): void => {
      if (!row.isPosted || !isLateRow(row, period)) return;
      const { of, kind, number, isReversal } = entryOf(row);
      const isOrder = kind === 'order';
      // The versions of a refund have links.
      if (!isOrder && !isReversal) return;
      const tax = taxOf(isOrder ? orders : refunds, keyIn(row.state, of), row.state);
      tax.amount = add(tax.amount, row.collected);
      // The first version filed is the one that its first correction reverses.
      if (!isOrder || (number > 0 && !isReversal) || number >= tax.firstNumber) return;
      tax.firstNumber = number;
      tax.isOwn = number === 0 || row.businessDate >= first;
    },
    see: (link: RefundLink): void => {
      const { channel, id, order: orderId, state, orderDate, taxRelieved } = link;
      const lateIn = (taxes: Map<string, LateTax>, of: Pick<LateRow, 'kind' | 'id'>) =>
        taxes.get(keyIn(state, entryOf({ channel, ...of }).of));
      const order = orderId === '' ? undefined : lateIn(orders, { kind: 'order', id: orderId });
      const refund = lateIn(refunds, { kind: 'refund', id });
      const isOwn = order?.isOwn ?? (orderDate !== undefined && orderDate >= first);
      if (refund) refund.isOwn = isOwn;
      if (isOwn) return;
      if (order && refund) {
        // Its reversal counts with its order.
        order.amount = add(order.amount, refund.amount);
        refund.amount = ZERO;
      }
      const late = order ?? refund;
      if (late) late.amount = subtract(late.amount, taxRelieved);
      else giveBack(given, state, negate(taxRelieved));
    },
    all: (): readonly EarlierTax[] => {
      const sums = new Map(given);
      for (const { state, amount, isOwn } of orders.values())
        if (isOwn !== true) giveBack(sums, state, lesser(amount, ZERO));
      for (const { state, amount, isOwn } of refunds.values())
        if (isOwn !== true) giveBack(sums, state, isOwn === undefined ? amount : lesser(amount, ZERO));
      return inKeyOrder(sums).filter(({ amount }) => amount < ZERO);
    },
  };
};

const giveBack = (sums: Map<string, EarlierTax>, state: string, amount: Money): void => {
  sums.set(state, { state, amount: add(sums.get(state)?.amount ?? ZERO, amount) });
};

const keyIn = (state: string, record: string): string => `${state} ${record}`;

const taxOf = (taxes: Map<string, LateTax>, key: string, state: string): LateTax => {
  const tax = taxes.get(key) ?? {
    state,
    amount: ZERO,
    firstNumber: Number.POSITIVE_INFINITY,
    isOwn: undefined,
  };
  taxes.set(key, tax);
  return tax;
};
