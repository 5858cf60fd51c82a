import { readFileSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';

/** One order: a lantern for 100.00 to Oakland, California, and the 10.75 % of tax due there, unless it says otherwise. */
export type Order = {
  readonly name: string;
  /** A day, and then it is noon in California, or what the export says. */
  readonly at?: string;
  readonly currency?: string;
  readonly status?: 'paid' | 'voided' | 'refunded' | 'partially_refunded' | 'pending' | 'settled';
  readonly price?: string;
  readonly shipping?: string;
  readonly tax?: string;
  readonly total?: string;
  readonly sku?: string;
  /** What is sold, instead of one piece at the price. */
  readonly lines?: readonly OrderLine[];
  /** Names and amounts of the tax lines that the export states, at most five. */
  readonly taxLines?: readonly (readonly [name: string, amount: string])[];
  readonly to?: Place;
  /** Set if it was sold over the counter, so that the export has no address for it. */
  readonly inPerson?: true;
  readonly tags?: string;
  /** The amount that was given back. */
  readonly refunded?: string;
  /** The day on which all of it was given back. */
  readonly refundedOn?: string;
};

export type OrderLine = {
  readonly sku: string;
  readonly quantity: number;
  readonly price: string;
  /** Of the whole line. */
  readonly discount?: string;
  readonly name?: string;
};

export type Place = {
  readonly city: string;
  readonly zip: string;
  readonly state: string;
};

/** Where no body but state and city taxes. */
export const AUSTIN: Place = { city: 'Austin', zip: '78701', state: 'TX' };

export const OAKLAND: Place = { city: 'Oakland', zip: '94607', state: 'CA' };
export const SEATTLE: Place = { city: 'Seattle', zip: '98101', state: 'WA' };
export const PORTLAND: Place = { city: 'Portland', zip: '97201', state: 'OR' };
export const LAS_VEGAS: Place = { city: 'Las Vegas', zip: '89101', state: 'NV' };

/** One repayment as the payment transactions have it: all of a plain order on October 20, unless it says otherwise. */
export type Refund = {
  readonly order: string;
  readonly at?: string;
  readonly amount?: string;
};

/** An order or a refund in the template of TaxJar, which names customers and calls sales exempt. */
export type TemplateRow = Pick<Order, 'name' | 'at' | 'price' | 'tax' | 'to'> & {
  readonly customer?: string;
  readonly exemption?: 'wholesale' | 'government' | 'other' | 'marketplace';
  readonly refundOf?: string;
};

const SAMPLE = new URL('../../samples/harbor-and-pine/', import.meta.url);

type Row = Readonly<Record<string, string>>;

const table = (header: readonly string[], rows: readonly Row[]): string =>
  stringify([[...header], ...rows.map((row) => header.map((column) => row[column] ?? ''))]);

const likeSample = (file: string, rows: readonly Row[]): string => {
  const [first = ''] = readFileSync(new URL(file, SAMPLE), 'utf8').split('\n');
  return table(first.split(','), rows);
};

/** Cents of an amount; what is not an amount has none. */
const centsOf = (text: string): number => Math.round(Number(text) * 100) || 0;
const dollars = (cents: number): string => (cents / 100).toFixed(2);
const taxOn = (cents: number): string => dollars(Math.round((cents * 1075) / 10_000));

const momentOf = (at: string): string => (/^\d{4}-\d\d-\d\d$/.test(at) ? `${at} 12:00:00 -0700` : at);

/** What an order comes to: goods and shipping, tax, and all of it. */
const amountsOf = ({ lines, price = '100.00', shipping = '0.00', ...order }: Order) => {
  const goods = lines
    ? dollars(
        lines.reduce(
          (sum, line) => sum + line.quantity * centsOf(line.price) - centsOf(line.discount ?? '0'),
          0,
        ),
      )
    : price;
  const tax = order.tax ?? taxOn(centsOf(goods));
  const total = order.total ?? dollars(centsOf(goods) + centsOf(shipping) + centsOf(tax));
  return { goods, shipping, tax, total };
};

const orderRows = (order: Order): readonly Row[] => {
  const { goods, shipping, tax, total } = amountsOf(order);
  const at = momentOf(order.at ?? '2026-10-10');
  const to = order.to ?? OAKLAND;
  const head = {
    'Financial Status': order.status ?? (order.refundedOn === undefined ? 'paid' : 'refunded'),
    'Paid at': at,
    Currency: order.currency ?? 'USD',
    Subtotal: goods,
    Shipping: shipping,
    Taxes: tax,
    Total: total,
    ...(order.inPerson
      ? { Source: 'pos' }
      : {
          'Shipping Address1': '1 Main St',
          'Shipping City': to.city,
          'Shipping Zip': `'${to.zip}`,
          'Shipping Province': to.state,
          'Shipping Country': 'US',
        }),
    Tags: order.tags ?? '',
    ...Object.fromEntries(
      (order.taxLines ?? []).flatMap(([name, amount], index) => [
        [`Tax ${index + 1} Name`, name],
        [`Tax ${index + 1} Value`, amount],
      ]),
    ),
    'Refunded Amount': order.refunded ?? (order.refundedOn === undefined ? '0.00' : total),
  };
  const lines = order.lines ?? [{ sku: order.sku ?? 'GEN-LAN01', quantity: 1, price: goods }];
  return lines.map((line, index) => ({
    ...(index === 0 && head),
    Name: order.name,
    'Created at': at,
    'Lineitem quantity': String(line.quantity),
    'Lineitem name': 'name' in line ? line.name : 'Lantern',
    'Lineitem price': line.price,
    'Lineitem sku': line.sku,
    'Lineitem discount': line.discount ?? '0.00',
    Vendor: 'Test',
  }));
};

/** The export of orders that Shopify writes. */
export const ordersExport = (orders: readonly Order[]): string =>
  likeSample('orders_export.csv', orders.flatMap(orderRows));

/** The export of payment transactions that Shopify writes, with repayments alone. */
export const refundsExport = (refunds: readonly Refund[]): string =>
  likeSample(
    'payment_transactions_export.csv',
    refunds.map(({ order, at = '2026-10-20', amount = '110.75' }) => ({
      'Transaction Date': momentOf(at),
      Type: 'refund',
      Order: order,
      Amount: `-${amount}`,
      Currency: 'USD',
    })),
  );

/** The repayments of orders all of whose money was given back. */
export const refundsOf = (orders: readonly Order[]): readonly Refund[] =>
  orders.flatMap((order) =>
    order.refundedOn === undefined
      ? []
      : [{ order: order.name, at: order.refundedOn, amount: amountsOf(order).total }],
  );

const TEMPLATE_HEADER =
  'provider,order_id,transaction_type,transaction_reference_id,completed_at,customer_id,shiptostreet,shiptocity,shiptostate,shiptozip,shiptocountrycode,shipping_amount,total_sale,sales_tax,exemption_type';

/** The shipped profile of the template does not know the column that names customers. */
export const TEMPLATE_PROFILE = `extends: taxjar.orders\ncolumns: [${TEMPLATE_HEADER}]\nmap: { customer: customer_id }\n`;

/** Orders and refunds in the template of TaxJar; a refund is the negative of its amounts. */
export const templateExport = (rows: readonly TemplateRow[]): string =>
  table(
    TEMPLATE_HEADER.split(','),
    rows.map((row) => {
      const price = row.price ?? '100.00';
      const to = row.to ?? OAKLAND;
      const isRefund = row.refundOf !== undefined;
      const tax = row.tax ?? (row.exemption === undefined ? taxOn(centsOf(price)) : '0.00');
      return {
        order_id: row.name,
        transaction_type: isRefund ? 'Refund' : 'Order',
        transaction_reference_id: row.refundOf ?? '',
        completed_at: row.at ?? '2026-10-10',
        customer_id: row.customer ?? '',
        shiptostreet: '1 Main St',
        shiptocity: to.city,
        shiptostate: to.state,
        shiptozip: to.zip,
        shiptocountrycode: 'US',
        shipping_amount: '0.00',
        total_sale: dollars(centsOf(price) * (isRefund ? -1 : 1)),
        sales_tax: dollars(centsOf(tax) * (isRefund ? -1 : 1)),
        exemption_type: row.exemption ?? '',
      };
    }),
  );
