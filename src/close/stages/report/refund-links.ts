import { addDays, type CalendarDate } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import {
  type FoundOrder,
  type GivenBack,
  type RefundedOrder,
  type RefundLink,
  type Repayment,
  refundedOrderOf,
  refundLink,
  withRefund,
} from '../../reconcile/refund-link.ts';
import { entryOf, type Replacements } from '../../sales/corrections.ts';
import type { Sale } from '../../sales/sale.ts';
import { nameOfKey, saleKey } from '../../sales/sale-name.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import { refundsBefore } from '../../workspace/refunds-before.ts';
import { refundsOfDays } from '../../workspace/sale-index.ts';
import { setAsidesByKey } from '../../workspace/set-asides.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** A large number, because each batch reads every page that contains one of its orders. */
export const REFUNDS_AT_ONCE = 10_000;

/** Collects the orders of refunds, as the exports state them, during the pass over the orders of a period. */
export type RefundedOrders = {
  readonly see: (key: string, order: RefundedOrder) => void;
  readonly of: (refund: Repayment) => RefundedOrder | undefined;
};

/** Returns a collector for the orders to which refunds of the period's days belong. */
export const refundedOrders = async (workspace: Workspace, period: FilingPeriod): Promise<RefundedOrders> => {
  const orders = new Map<string, RefundedOrder | undefined>();
  for (let day = period.first; day <= period.last; day = addDays(day, 1))
    for (const { key, reference: order } of await refundsOfDays(workspace, { first: day, last: day }))
      orders.set(orderKeyOf({ channel: nameOfKey(key).channel, order }), undefined);
  return {
    see: (key, order) => {
      if (orders.has(key)) orders.set(key, order);
    },
    of: (refund) => orders.get(orderKeyOf(refund)),
  };
};

type RefundsGiven = {
  readonly refunds: Iterable<readonly Repayment[]>;
  readonly orders: RefundedOrders;
  readonly replaced: Replacements;
};

/**
 * Yields each refund with its order, whatever period the order belongs to, and what the refunds of the order come to.
 * Orders that were not collected, and their earlier refunds, are read.
 */
export async function* refundLinksOf(
  workspace: Workspace,
  period: FilingPeriod,
  { refunds, orders, replaced }: RefundsGiven,
): AsyncGenerator<readonly RefundLink[]> {
  const givenBack = new Map<string, GivenBack>();
  const linkOf = (refund: Repayment, found: FoundOrder): RefundLink => {
    const key = orderKeyOf(refund);
    if (replaced.isReplaced(entryOf({ ...refund, kind: 'refund' })))
      return { ...refundLink(refund, found), isOverRefund: false, isBeyondAmount: false, isReplaced: true };
    const link = refundLink(refund, found, givenBack.get(key));
    if (refund.isPosted) {
      const { refundedSoFar, amountSoFar } = link;
      givenBack.set(key, { refundedSoFar, amountSoFar });
    }
    return link;
  };
  for (const batch of refunds) {
    const unseen = batch.filter((refund) => !orders.of(refund)).map(orderKeyOf);
    const others = await salesByKey(workspace, unseen);
    for (const [key, given] of await givenBackBefore(workspace, period, others))
      if (!givenBack.has(key)) givenBack.set(key, given);
    const noSales = await noSalesAmong(
      workspace,
      unseen.filter((key) => !others.has(key)),
    );
    yield batch.map((refund) => {
      const key = orderKeyOf(refund);
      const other = others.get(key);
      const order = orders.of(refund) ?? (other && refundedOrderOf(other));
      return linkOf(refund, { order, noSale: noSales.get(key) });
    });
  }
}

/** Returns what posted refunds of these orders gave back before the period, by the key of the order. */
const givenBackBefore = async (
  workspace: Workspace,
  period: FilingPeriod,
  orders: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, GivenBack>> => {
  const given = new Map<string, GivenBack>();
  for (const [key, refunds] of await refundsBeforeOf(workspace, period, [...orders.keys()]))
    for (const refund of refunds) given.set(key, withRefund(given.get(key), refund));
  return given;
};

/**
 * Returns the posted refunds of these orders that stand before the period, by the key of the order.
 *
 * @param until given where refunds after the period count, too, up to that day
 */
export const refundsBeforeOf = async (
  workspace: Workspace,
  period: FilingPeriod,
  orders: readonly string[],
  until?: CalendarDate,
): Promise<ReadonlyMap<string, readonly Sale[]>> => {
  const refunds: Sale[] = [];
  for (const [channel, names] of Map.groupBy(orders.map(nameOfKey), (name) => name.channel)) {
    const ids = names.map(({ id }) => id);
    refunds.push(...(await refundsBefore(workspace, period, { channel, orders: ids, until })));
  }
  return Map.groupBy(refunds, ({ channel, reference }) => orderKeyOf({ channel, order: reference ?? '' }));
};

/** Returns why ignored records are not sales, by key. */
const noSalesAmong = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const asides = keys.length === 0 ? [] : await setAsidesByKey(workspace, keys);
  return new Map(
    asides.flatMap(({ key, outcome, reason }) => (outcome === 'ignored' ? [[key, reason.message]] : [])),
  );
};

/** Returns the key of the order of a refund. */
export const orderKeyOf = ({ channel, order }: Pick<Repayment, 'channel' | 'order'>): string =>
  saleKey(channel, 'order', order);
