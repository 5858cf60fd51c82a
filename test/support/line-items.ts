import { stringify } from 'csv-stringify/sync';

const COLUMNS = [
  'transaction_id',
  'transaction_type',
  'transaction_reference_id',
  'transaction_date',
  'customer_id',
  'to_country',
  'to_state',
  'to_zip',
  'to_city',
  'to_street',
  'total_shipping',
  'total_sales_tax',
  'item_product_identifier',
  'item_quantity',
  'item_unit_price',
] as const;

/** The shipped profile of the template does not know the column that names customers. */
export const LINE_ITEMS_PROFILE = `extends: taxjar.line-items\ncolumns: [${COLUMNS.join(', ')}]\nmap: { customer: customer_id }\n`;

/** A row of the line item template: a record with one item. A refund names its order, and its amounts are negative. */
export type LineItem = Partial<Readonly<Record<(typeof COLUMNS)[number], string>>>;

/** The line item template: one row for each record of one item, of October 10 in the United States unless it says otherwise. */
export const lineItemsExport = (rows: readonly LineItem[]): string =>
  stringify([
    [...COLUMNS],
    ...rows.map((row) => {
      const cells: LineItem = {
        transaction_type: row.transaction_reference_id === undefined ? 'Order' : 'Refund',
        ...{ transaction_date: '2026-10-10', to_country: 'US', total_shipping: '0.00', item_quantity: '1' },
        ...row,
      };
      return COLUMNS.map((column) => cells[column] ?? '');
    }),
  ]);
