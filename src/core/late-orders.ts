import type { PeriodSums } from '../close/evidence/period-sums.ts';
import { type Finding, finding } from '../close/reconcile/finding.ts';
import type { Sale } from '../close/sales/sale.ts';
import { nameOfKey } from '../close/sales/sale-name.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { add, atLeastZero, formatMoney, negate, subtract, sum, ZERO } from '../kernel/money.ts';
import type { RefundedOrderOf } from '../read/shapes.ts';

/** An order of a locked period that is corrected in this one, with what it comes to now: nothing if it was withdrawn. */
type LateOrder = Pick<Finding, 'origin' | 'state'> &
  Pick<Sale, 'amount' | 'salesTax'> & {
    /** The number of its last correction. */
    readonly number: number;
  };

/**
 * Returns a finding for each corrected order that comes to less now than the refunds of it that are filed: these stay
 * deducted, and the correction deducts the order once more.
 *
 * @param lockedUntil the last day of the last locked period
 */
export const refundsOfLateOrders = (
  late: PeriodSums['late'],
  refunded: ReadonlyMap<string, RefundedOrderOf>,
  lockedUntil: CalendarDate | undefined,
): readonly Finding[] =>
  [...lateOrders(late)].flatMap(([key, order]) => {
    const refunds = refunded.get(key)?.refunds ?? [];
    const filed = refunds.filter(
      ({ businessDate }) => lockedUntil !== undefined && businessDate <= lockedUntil,
    );
    return findingOf(key, order, filed);
  });

/** Returns the corrected orders among the late records of a period, by their keys. */
const lateOrders = (late: PeriodSums['late']): ReadonlyMap<string, LateOrder> => {
  const orders = new Map<string, LateOrder>();
  for (const { row, version } of late) {
    const { of, number, isReversal } = version;
    const known = orders.get(of);
    if (nameOfKey(of).kind !== 'order' || (known && known.number > number)) continue;
    const { file, line, record, state } = row;
    const stands = row.isPosted && !isReversal;
    const { amount, salesTax } = known?.number === number ? known : { amount: ZERO, salesTax: ZERO };
    orders.set(of, {
      origin: { file, line, record },
      ...{ state, number },
      amount: stands ? row.gross : amount,
      salesTax: stands ? row.collected : salesTax,
    });
  }
  return orders;
};

const findingOf = (
  key: string,
  { amount, salesTax, number: _, ...at }: LateOrder,
  refunds: RefundedOrderOf['refunds'],
): readonly Finding[] => {
  const goods = sum(refunds.map((refund) => refund.amount));
  const tax = sum(refunds.map((refund) => refund.salesTax));
  const [total, back] = [add(amount, salesTax), add(goods, tax)];
  if (goods <= amount && back <= total) return [];
  const { id, channel } = nameOfKey(key);
  return [
    finding(
      'late-order-refunded',
      `${id} comes to ${formatMoney(total)} since it was corrected, and ${formatMoney(back)} of it was refunded and filed before`,
      {
        ...{ ...at, record: id, channel },
        severity: goods > amount ? 'error' : 'warning',
        effect: negate(atLeastZero(subtract(tax, salesTax))),
      },
    ),
  ];
};
