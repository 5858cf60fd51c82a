import { chargeOf } from './charge.ts';
import { findOrder, type PricedOrder } from './price-month.ts';
import type { Outcome } from './sample-order.ts';
import type { ShopifyRow } from './shopify-columns.ts';
import { orphanRow, shopifyRows } from './shopify-rows.ts';

/** What one order occupies in the file, a head with its continuation rows, or a row without a head. */
export type FileGroup = { readonly outcome: Outcome; readonly rows: readonly ShopifyRow[] };

/** The orders that the damage to the file falls on. */
export const DAMAGE = { repeated: 5102, contradicted: 5137, mangled: 5115, orphan: 4688 } as const;

/** A spreadsheet formula broke in the Total of one order. */
const mangle = (rows: readonly ShopifyRow[]): ShopifyRow[] =>
  rows.map((row, index) => (index === 0 ? { ...row, Total: '#REF!' } : row));

const groupOf = ({ order, charge }: PricedOrder): FileGroup => {
  const rows = shopifyRows(order, charge);
  return { outcome: order.outcome, rows: order.number === DAMAGE.mangled ? mangle(rows) : rows };
};

/** The same order as a later export had it, after the customer took two of the first item. */
const laterVersion = ({ order }: PricedOrder): PricedOrder => {
  const lines = order.lines.map((line, index) => (index === 0 ? { ...line, quantity: 2 } : line));
  const edited = { ...order, lines };
  return { order: edited, charge: chargeOf(edited) };
};

/**
 * All of `orders_export.csv`, newest order first. The end is what an overlapping second export left when it was
 * pasted below the first: the tail of an order whose head was cut off, an order once more, and an order in a later
 * version.
 */
export const ordersExport = (orders: readonly PricedOrder[]): FileGroup[] => {
  const repeated = findOrder(orders, DAMAGE.repeated);
  const contradicted = findOrder(orders, DAMAGE.contradicted);
  return [
    ...orders.toReversed().map(groupOf),
    { outcome: { kind: 'rejected', reason: 'orphan-row' }, rows: [orphanRow(repeated.order, DAMAGE.orphan)] },
    { outcome: { kind: 'ignored', reason: 'duplicate' }, rows: groupOf(repeated).rows },
    groupOf(laterVersion(contradicted)),
  ];
};
