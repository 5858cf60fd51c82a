import { stringify } from 'csv-stringify/sync';
import { describe, expect, test } from 'vitest';
import { folderOf } from '../sales/files/on-disk.ts';
import { trialsIn } from '../samples/exports/list-sample.ts';
import { type Order, ordersExport, SEATTLE } from '../support/shop-exports.ts';

const HEADER = [
  'Is filed by channel',
  'Order number',
  'Line item ID',
  'Sale date',
  'Returns',
  'Net sales on line items',
  'Taxable amount',
  'Tax rate',
  'Tax amount',
  'Tax jurisdiction type',
  'Tax jurisdiction',
  'Destination state',
];

type Row = {
  order?: string;
  tax: string;
  rate?: string;
  level?: string;
  name?: string;
  to?: string;
  filed?: string;
};

const report = (...rows: readonly Row[]): string =>
  stringify([
    HEADER,
    ...rows.map(
      ({ order = '#1001', tax, rate = '0.0725', level = 'State', name = 'California', to, filed }) => [
        filed ?? 'Not Filed',
        order,
        '9001',
        '2026-10-05',
        '0.00',
        '100.00',
        '100.00',
        rate,
        tax,
        level,
        name,
        to ?? 'California',
      ],
    ),
  ]);

/** The three taxes of an order of 100.00 to Oakland. */
const taxes = (order = '#1001', filed = 'Not Filed'): readonly Row[] => [
  { order, filed, tax: '6.00', rate: '0.06' },
  { order, filed, tax: '0.25', rate: '0.0025', level: 'County', name: 'Alameda' },
  { order, filed, tax: '4.50', rate: '0.045', level: 'Special', name: 'Alameda Co Local Tax Sl' },
];

const order = (name = '#1001', more: Partial<Order> = {}): Order => ({ name, at: '2026-10-05', ...more });

/** What orders and reports become together. */
const read = async (orders: readonly Order[], ...reports: readonly string[]) => {
  const files = Object.fromEntries(reports.map((text, index) => [`report-${index}.csv`, text]));
  const names = ['orders.csv', ...Object.keys(files)];
  const trials = await trialsIn(await folderOf({ 'orders.csv': ordersExport(orders), ...files }), names);
  const whole = trials.flatMap((trial) => {
    if ('error' in trial) throw new Error(trial.error.message);
    const { rows, used, ignored, rejected } = trial.totals;
    expect(used + ignored + rejected).toBe(rows);
    return [trial];
  });
  return {
    sales: whole.flatMap(({ sales }) => sales),
    notices: whole.flatMap(({ notices }) =>
      notices.flatMap(({ code, message }) => (code.startsWith('tax-report') ? [`${code}: ${message}`] : [])),
    ),
    asides: whole.flatMap(({ set_aside }) => set_aside),
  };
};

const codesOf = ({ reasons }: { readonly reasons: readonly { readonly code: string }[] }) =>
  reasons.map(({ code }) => code);

describe('a tax report beside the orders', () => {
  test('gives each order its taxes by jurisdiction, with level and rate', async () => {
    const { sales, notices } = await read([order()], report(...taxes()));
    const [sale] = sales;
    expect(sale?.outcome).toBe('accepted');
    expect(sale?.tax_lines.map(({ name, amount }) => `${name} ${amount}`)).toEqual([
      'California 6.00',
      'Alameda 0.25',
      'Alameda Co Local Tax Sl 4.50',
    ]);
    expect(notices).toEqual(['tax-report-agrees: 1 order as in the exports']);
  });

  test('mends lines of the export that do not add up, such as those of a sixth tax', async () => {
    const partly = order('#1001', { taxLines: [['California State Tax 6%', '6.00']] });
    expect((await read([partly])).sales.map(codesOf)).toEqual([['tax-lines-differ']]);
    const { sales } = await read([partly], report(...taxes()));
    expect(sales.map(({ outcome, tax_lines }) => `${outcome} ${tax_lines.length}`)).toEqual(['accepted 3']);
  });

  test.for([
    ['Filed', 'accepted', '0.00', '10.75', [], 'makes the tax that of the channel that remits it'],
    ['yes', 'accepted', '0.00', '10.75', [], 'in whatever words'],
    ['Not Filed', 'accepted', '10.75', '0.00', [], 'leaves the tax of the seller as it is'],
    ['-', 'accepted', '10.75', '0.00', [], 'need not say who remits'],
  ] as const)('%s: $5', async ([filed, outcome, own, other, codes]) => {
    const { sales } = await read([order()], report(...taxes('#1001', filed)));
    const [sale] = sales;
    expect([sale?.outcome, sale?.sales_tax, sale?.marketplace_tax]).toEqual([outcome, own, other]);
    expect(sale && codesOf(sale)).toEqual(codes);
  });

  test('that says both of one order leaves it to a person', async () => {
    const [state, ...others] = taxes();
    const { sales } = await read([order()], report({ ...(state as Row), filed: 'Filed' }, ...others));
    expect(sales.map((sale) => [sale.outcome, ...codesOf(sale)])).toEqual([['review', 'collector-unclear']]);
  });

  test('is compared with the orders, and names what differs', async () => {
    const orders = [order(), order('#1002'), order('#1003'), order('#1004', { to: SEATTLE, tax: '10.35' })];
    const { sales, notices } = await read(
      orders,
      report(...taxes(), ...taxes('#1002').slice(1), ...taxes('#1009'), {
        order: '#1004',
        tax: '10.35',
        name: 'Washington',
        rate: '0.1035',
        to: 'Washington',
      }),
    );
    expect(notices).toEqual([
      'tax-report-totals: 4 orders in the report; with another tax: #1002; not in the exports: #1009',
    ]);
    expect(sales.map((sale) => `${sale.id} ${codesOf(sale).join()}`)).toEqual([
      '1001 ',
      '1002 tax-report-differs',
      '1003 ',
      '1004 ',
    ]);
  });

  test('lists fees of the state as taxes, and the order has them apart', async () => {
    const duluth = { city: 'Duluth', zip: '55802', state: 'MN' };
    const [given, reported] = [
      order('#1001', { to: duluth, price: '200.00', tax: '18.25' }),
      [
        { tax: '13.75', rate: '0.06875', name: 'Minnesota', to: 'Minnesota' },
        { tax: '4.00', rate: '0.02', level: 'City', name: 'Duluth', to: 'Minnesota' },
        { tax: '0.50', rate: '', level: 'Special', name: 'Retail Delivery Fee', to: 'Minnesota' },
      ],
    ];
    const { sales, notices } = await read([given], report(...reported));
    expect(sales.map(({ sales_tax, tax_lines }) => [sales_tax, tax_lines.length])).toEqual([['17.75', 2]]);
    expect(sales).toMatchObject([{ state_fees: [{ name: 'Retail Delivery Fee', amount: '0.50' }] }]);
    expect(notices).toEqual(['tax-report-agrees: 1 order as in the exports']);
  });

  test('may be less by what was given back', async () => {
    const { notices, sales } = await read(
      [order('#1001', { status: 'partially_refunded', refunded: '55.38' })],
      report(...taxes().slice(0, 2)),
    );
    expect(notices).toEqual(['tax-report-agrees: 1 order as in the exports']);
    expect(sales.flatMap(codesOf)).not.toContain('tax-report-differs');
  });

  test('counts once where two reports overlap', async () => {
    const { notices } = await read([order()], report(...taxes()), report(...taxes()));
    expect(notices).toEqual(['tax-report-agrees: 1 order as in the exports']);
  });

  test.for([
    [{ tax: 'much' }, 'bad-cell', 'an amount'],
    [{ tax: '1', filed: 'Perhaps' }, 'bad-cell', 'who remits'],
    [{ tax: '1', order: '3.3E+09' }, 'mangled-id', 'an order'],
  ] as const)('rejects a row that cannot be read: $2', async ([row, code]) => {
    const { asides } = await read([order()], report(...taxes(), row));
    expect(asides.map(({ outcome, ...aside }) => [outcome, ...codesOf(aside)])).toEqual([['rejected', code]]);
  });

  test('has rows of sums, which are ignored and counted', async () => {
    const { notices } = await read([order()], report(...taxes(), { order: '', tax: '10.75' }));
    expect(notices).toHaveLength(1);
  });
});
