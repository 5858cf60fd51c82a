import { addDays, type CalendarDate } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import type { EarlierOrder } from '../../evidence/frame.ts';
import { type GivenBack, orderKeyOf, refundedOrderOf, withRefund } from '../../reconcile/refund-link.ts';
import type { Sale } from '../../sales/sale.ts';
import { nameOfKey } from '../../sales/sale-name.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import { refundsBefore } from '../../workspace/refunds-before.ts';
import { refundsOfDays } from '../../workspace/sale-index.ts';
import { setAsidesByKey } from '../../workspace/set-asides.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** A large number, because each batch reads every page that contains one of its orders. */
const ORDERS_AT_ONCE = 10_000;

/** Returns the keys of the orders to which refunds of the period's days belong. */
export const refundedOrders = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<ReadonlySet<string>> => {
  const orders = new Set<string>();
  for (let day = period.first; day <= period.last; day = addDays(day, 1))
    for (const { key, reference: order } of await refundsOfDays(workspace, { first: day, last: day }))
      orders.add(orderKeyOf({ channel: nameOfKey(key).channel, order }));
  return orders;
};

/**
 * Returns these orders as the exports state them, whatever period they belong to, with what refunds gave back of them
 * before the period.
 */
export const earlierOrders = async (
  workspace: Workspace,
  period: FilingPeriod,
  missing: Iterable<string>,
): Promise<readonly EarlierOrder[]> => {
  const known: EarlierOrder[] = [];
  for (const keys of batchesOf([...new Set(missing)], ORDERS_AT_ONCE)) {
    const orders = await salesByKey(workspace, keys);
    const given = await givenBackBefore(workspace, period, orders);
    const noSales = await noSalesAmong(
      workspace,
      keys.filter((key) => !orders.has(key)),
    );
    for (const key of keys) {
      const order = orders.get(key);
      const [noSale, before] = [noSales.get(key), given.get(key)];
      if (order) known.push({ key, order: refundedOrderOf(order), ...(before && { before }) });
      else if (noSale !== undefined) known.push({ key, noSale });
    }
  }
  return known;
};

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
