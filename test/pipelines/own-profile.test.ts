import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

const COLUMNS =
  'Order ID,Order Date,Order Status,Tax Total,Shipping Cost (ex tax),Order Total (inc tax),Order Currency Code,Shipping Street 1,Shipping Suburb,Shipping State,Shipping Zip,Shipping Country,Product Details,Refund Amount';
const order = (id: number, date: string, status: string): string =>
  `${id},${date},${status},10.75,0.00,110.75,USD,1 Main St,Oakland,California,94607,United States,"Product ID: 7, Product Qty: 1, Product SKU: GEN-LAN01, Product Name: Lantern, Product Unit Price: 100.00, Product Total Price: 100.00",0.00`;

/** A shop that writes the day first, which its October cannot prove, and the statuses of its own language. */
const shopWith = async (profile: string | undefined) => {
  const rows = [
    order(1, '05/10/2026', 'Abgeschlossen'),
    order(2, '10/10/2026', 'Abgeschlossen'),
    order(3, '11/10/2026', 'Storniert'),
    order(4, '10/11/2026', 'Abgeschlossen'),
    order(5, '06/10/2026', 'Abgeschlossen'),
  ];
  const own = profile === undefined ? {} : { profile: './profiles/our-shop.yaml' };
  const shop = await month({ channel: { files: ['orders.csv'], ...own } });
  await shop.write('orders.csv', `${[COLUMNS, ...rows].join('\n')}\n`);
  if (profile !== undefined) await shop.write('profiles/our-shop.yaml', profile);
  return shop;
};

const OWN = `schema: 1
extends: bigcommerce.orders
id: bigcommerce.our-shop
locale: { date: { forms: [d/M/yyyy], provenByFile: false } }
rules:
  - { when: [{ column: Order Status, in: [Abgeschlossen] }], treat: order }
  - { when: [{ column: Order Status, in: [Storniert] }], treat: ignore, reason: cancelled, message: the order was cancelled }
`;

test('a profile of one’s own says which number is the day, and what the shop calls its statuses', async () => {
  const shop = await shopWith(OWN);
  expect(await shop.close()).toMatchObject({
    exit_code: 0,
    totals: { gross: '300.00', collected: '32.25' },
  });

  // What the profile says is part of what decides how a file is read: a change of it reads the file again.
  await shop.write('profiles/our-shop.yaml', OWN.replace('forms: [d/M/yyyy]', 'forms: [M/d/yyyy]'));
  expect(await shop.close()).toMatchObject({ totals: { gross: '200.00', collected: '21.50' } });
});

test('without it the file is refused, because nothing in it proves which number is the day', async () => {
  const shop = await shopWith(undefined);
  const ran = await shop.run('close', '2026-10');
  expect(ran.code).toBe(65);
  expect(ran.stderr).toContain('no date in Order Date proves which of M/d/yyyy and d/M/yyyy the file uses');
});

test.for([
  ['extends: bigcommerce.ordres', 'E_PROFILE_UNKNOWN', 'a base that does not exist'],
  [
    'extends: bigcommerce.orders\nid: own\nlocale: { dates: 1 }',
    'E_PROFILE_INVALID',
    'a key that means nothing',
  ],
  ['extends: [', 'E_PROFILE_INVALID', 'no YAML'],
] as const)('%#: a profile stops the close as $1 for $2', async ([profile, code]) => {
  const shop = await shopWith(`schema: 1\n${profile}\n`);
  const ran = await shop.run('close', '2026-10');
  expect(ran.code).toBe(78);
  expect(ran.stderr).toContain(code);
});
