import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ordersExport } from '../support/shop-exports.ts';
import { sampleMerchant, temporaryFolder, tieout } from '../support/tieout.ts';

const SAMPLE = fileURLToPath(new URL('../../samples/harbor-and-pine/', import.meta.url));
const ORDERS = join(SAMPLE, 'orders_export.csv');

const objectOf = async (...args: readonly string[]) => {
  const ran = await tieout(['profile', ...args, '--json']);
  return { code: ran.code, object: JSON.parse(ran.stdout), stderr: ran.stderr };
};

describe('tieout profile test', () => {
  test('counts days in the zone that is named, else in UTC', async () => {
    const zone = ['--time-zone', 'America/Los_Angeles'];
    expect((await tieout(['profile', 'test', ORDERS, ...zone])).stdout).toMatch(
      /^days in America\/Los_Angeles$[\s\S]*^ {2}first_date: 2026-09-\d\d$/m,
    );
    expect((await tieout(['profile', 'test', ORDERS])).stdout).toMatch(/^days in UTC$/m);
  });

  test('gives each sale in the form that scripts rely on', async () => {
    const { object } = await objectOf('test', ORDERS, '--time-zone', 'America/Los_Angeles');
    const sale = object.files[0].sales.find((one: { id: string }) => one.id === '5315');
    expect(sale).toEqual({
      id: '5315',
      kind: 'order',
      reference: null,
      record: '#5315',
      line: 2,
      rows: 2,
      instant: '2026-11-05T03:59:16.000Z',
      business_date: '2026-11-04',
      tax_date: '2026-11-04',
      ship_to: { country: 'US', state: 'NY', zip: '10001', city: 'New York', street: '2302 Granite Way' },
      currency: 'USD',
      amount: '108.90',
      shipping: '9.95',
      sales_tax: '9.66',
      marketplace_tax: '0.00',
      exemption_type: null,
      customer_id: null,
      lines: [
        {
          id: '1',
          sku: 'OUT-BTL07',
          description: 'Insulated Bottle, 24 oz - Fog',
          quantity: 2,
          unit_price: '32.00',
          discount: '0.00',
          product_tax_code: null,
        },
        {
          id: '2',
          sku: 'GEN-THR06',
          description: 'Steel Thermos, 32 oz',
          quantity: 1,
          unit_price: '34.95',
          discount: '0.00',
          product_tax_code: null,
        },
      ],
      tax_lines: [
        { name: 'New York State Tax', amount: '4.36' },
        { name: 'New York City Tax', amount: '4.90' },
        { name: 'Metropolitan Commuter Transportation District', amount: '0.40' },
      ],
      outcome: 'accepted',
      reasons: [],
    });
  });

  test('adds up each currency apart', async () => {
    const file = join(await temporaryFolder(), 'orders.csv');
    await writeFile(file, ordersExport([{ name: '#1' }, { name: '#2', currency: 'EUR' }, { name: '#3' }]));
    const { object } = await objectOf('test', file);
    expect(object.files[0].totals.orders).toMatchObject([
      { currency: 'EUR', count: 1, amount: '100.00', sales_tax: '10.75' },
      { currency: 'USD', count: 2, amount: '200.00', sales_tax: '21.50' },
    ]);
    const { stdout } = await tieout(['profile', 'test', file]);
    expect(stdout).toMatch(
      /currency: EUR\n {6}count: 1\n[\s\S]*currency: USD\n {6}count: 2\n[\s\S]*refunds: \[\]\n/,
    );
  });

  test('takes zone, address and channel from a configuration', async () => {
    const merchant = await sampleMerchant();
    const args = ['test', ORDERS, '--config', merchant.config] as const;
    const { object } = await objectOf(...args, '--channel', 'shopify');
    expect(object).toMatchObject({ time_zone: 'America/Los_Angeles', channel: 'shopify' });
    for (const [channel, problem] of [
      [[], 'has several channels'],
      [['--channel', 'none'], 'has no channel "none"'],
    ] as const) {
      const other = await tieout(['profile', ...args, ...channel]);
      expect([other.code, other.stderr]).toEqual([
        2,
        expect.stringMatching(`^E_PROFILE_USAGE: the configuration ${problem}.\nName one with --channel: `),
      ]);
    }
  });
});

describe('a profile of one’s own', () => {
  const WALMART = [
    'Report of orders',
    'PO#,Order#,Order Date,Status,Customer Shipping Address,City,State,Zip,Item Description,SKU,Qty,Item Cost,Shipping Cost,Tax',
    '1,100,10/03/2026,Shipped,1 Main,Boston,MA,2139,"Lamp, small",L1,1,10.00,5.00,0.63',
    '2,101,10/25/2026,Cancelled,1 Main,Boston,MA,02139,Desk,D1,2,20.00,0.00,2.50',
    '',
  ].join('\n');

  test('is drafted from an unknown header, tried at once, and decided by a person', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'walmart.csv');
    const draft = join(folder, 'profiles', 'walmart.yaml');
    await writeFile(file, WALMART);
    const init = ['profile', 'init', file, '--output', draft];
    expect(await tieout(init)).toMatchObject({
      code: 0,
      stdout: `Wrote ${draft}. Answer each DECIDE in it. Next: \`tieout profile test ${file} --profile ${draft}\`\n`,
    });
    expect(await tieout(init)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^E_CONFIG_EXISTS: /),
    });
    const text = await readFile(draft, 'utf8');
    expect(text).toContain('kind: order-per-row');
    expect(text).toContain('# DECIDE: which rows are sales');
    const tried = await objectOf('test', file, '--profile', draft);
    expect(tried.object.files[0]).toMatchObject({
      profile: 'own.walmart@1',
      totals: { rows: 2, records: { review: 2 }, orders: [{ amount: '5.00', sales_tax: '3.13' }] },
    });
    expect(tried.object.files[0].sales[0].reasons).toContainEqual(
      expect.objectContaining({ code: 'undecided' }),
    );

    const rules = ['Cancelled', 'Shipped'].map(
      (status) =>
        `  - { when: [{ column: Status, in: [${status}] }], treat: ${status === 'Shipped' ? 'order' : 'ignore, reason: cancelled'} }`,
    );
    await writeFile(
      draft,
      text
        .replace(/^ {2}- \{ when: .*$/m, rules.join('\n'))
        .replace(/^ {2}goods: .*$/m, '  goods: Item Cost'),
    );
    const decided = await objectOf('test', file, '--profile', draft);
    expect(decided.object.files[0]).toMatchObject({
      totals: { records: { warning: 1, ignored: 1 }, orders: [{ amount: '15.00' }] },
      sales: [{ id: '100', ship_to: { zip: '02139' }, reasons: [{ code: 'zip-zero-restored' }] }],
    });
  });

  test.for([
    ['extends: no one.orders\n', 'E_PROFILE_UNKNOWN', 'it extends "no one.orders", which does not exist'],
    ['extends: shopify.orders\nshape: { kind: circle }\n', 'E_PROFILE_INVALID', 'shape'],
    ['- a list\n', 'E_PROFILE_INVALID', 'it is not a list of keys and values'],
    ['extends: shopify.orders\nlocale: { date: { zone: EST } }\n', 'E_PROFILE_INVALID', 'America/New_York'],
  ] as const)('with a mistake is refused: %j, %s', async ([text, code, rule]) => {
    const own = join(await temporaryFolder(), 'own.yaml');
    await writeFile(own, text);
    const ran = await tieout(['profile', 'test', ORDERS, '--profile', own]);
    expect([ran.code, ran.stderr]).toEqual([78, expect.stringContaining(code)]);
    expect(ran.stderr).toContain(rule);
  });
});
