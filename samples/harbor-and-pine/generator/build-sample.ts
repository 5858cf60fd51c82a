import { stringify } from 'csv-stringify/sync';
import { DESK_COLUMNS, deskRows, deskTruth } from './desk-file.ts';
import { ordersExport } from './orders-export.ts';
import { PAYMENT_COLUMNS, paymentRows } from './payment-rows.ts';
import { priceMonth } from './price-month.ts';
import { SHOPIFY_COLUMNS } from './shopify-columns.ts';
import { truthOf } from './truth.ts';

/** The files of the sample by name, each with its whole text; the same on every run. */
export const buildSample = (): ReadonlyMap<string, string> => {
  const orders = priceMonth();
  const groups = ordersExport(orders);
  const cells = groups
    .flatMap(({ rows }) => rows)
    .map((row) => SHOPIFY_COLUMNS.map((column) => row[column] ?? ''));
  const payments = paymentRows(orders);
  const truth = truthOf(orders, groups, payments.length);
  return new Map([
    ['orders_export.csv', stringify([[...SHOPIFY_COLUMNS], ...cells])],
    ['payment_transactions_export.csv', stringify([[...PAYMENT_COLUMNS], ...payments])],
    ['desk_orders.csv', stringify([[...DESK_COLUMNS], ...deskRows()])],
    ['expected.json', `${JSON.stringify({ ...truth, desk: deskTruth() }, null, 2)}\n`],
  ]);
};
