import {
  add,
  atLeastZero,
  formatMoney,
  type Money,
  negate,
  subtract,
  sum,
  ZERO,
} from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { PeriodSums } from '../../evidence/period-sums.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import type { Sale } from '../../sales/sale.ts';
import { nameOfKey } from '../../sales/sale-name.ts';
import { locksOf } from '../../workspace/locks.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { refundsBeforeOf } from './refund-links.ts';

/** An order of a locked period that is corrected in this one, with what it comes to now: nothing if it was withdrawn. */
type LateOrder = Pick<DraftException, 'origin' | 'state'> &
  Pick<Sale, 'amount' | 'salesTax'> & {
    /** The number of its last correction. */
    readonly number: number;
  };

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

/**
 * Returns a finding for each corrected order that comes to less now than the refunds of it that were filed before: these
 * stay deducted, and the correction deducts the order once more. An amended version has later periods that were filed
 * before it.
 */
export const refundsOfLateOrders = async (
  { workspace }: ClosePorts,
  period: FilingPeriod,
  late: PeriodSums['late'],
): Promise<readonly DraftException[]> => {
  const orders = lateOrders(late);
  if (orders.size === 0) return [];
  const locked = (await locksOf(workspace)).findLast(({ state }) => state === 'locked');
  const refunds = await refundsBeforeOf(workspace, period, [...orders.keys()], locked?.last);
  return [...orders].flatMap(([key, order]) => findingOf(key, order, refunds.get(key) ?? []));
};

const findingOf = (
  key: string,
  { amount, salesTax, number: _, ...at }: LateOrder,
  refunds: readonly Sale[],
): readonly DraftException[] => {
  const goods = sum(refunds.map((refund) => refund.amount));
  const tax = sum(refunds.map((refund) => refund.salesTax));
  const [total, refunded] = [add(amount, salesTax), add(goods, tax)];
  if (goods <= amount && refunded <= total) return [];
  const { id, channel } = nameOfKey(key);
  return [
    {
      ...at,
      severity: goods > amount ? 'error' : 'warning',
      code: 'late-order-refunded',
      record: id,
      channel,
      message: `${id} comes to ${formatMoney(total)} since it was corrected, and ${formatMoney(refunded)} of it was refunded and filed before`,
      effect: negate(excess(tax, salesTax)),
    },
  ];
};

const excess = (given: Money, charged: Money): Money => atLeastZero(subtract(given, charged));
