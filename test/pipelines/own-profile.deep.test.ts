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

const BY_STATE = `schema: 1
id: own.by-state
version: 1
title: Sales by state
capability: sales
source: our own
columns: [Order, Date, State, Item, Net, Tax]
detect: { required: [Order, Date, State, Item, Net, Tax] }
locale: { date: { columns: [Date], forms: [yyyy-MM-dd], zone: channel }, currency: { constant: USD } }
shape: { kind: order-per-row, key: [Order] }
rules: [{ when: [{ column: Order, is: filled }], treat: order }]
map:
  shipTo: { country: { constant: US }, state: State, zip: { constant: "" }, city: { constant: "" }, street: { constant: "" } }
  stateIsEnough: true
  shipping: { constant: "0.00" }
  salesTax: Tax
  line: { present: Item, quantity: { constant: "1" }, description: Item, sku: Item, net: Net }
`;

test('where no place is named, the tax that every place has is expected, and what is above it is no error of the seller', async () => {
  const shop = await month({ channel: { name: 'own', files: ['sales.csv'], profile: './by-state.yaml' } });
  await shop.write('by-state.yaml', BY_STATE);
  const sale = (id: string, tax: string): string => `${id},2026-10-05,CA,Lantern,100.00,${tax}`;
  const write = (...sales: readonly string[]): Promise<void> =>
    shop.write('sales.csv', `${['Order,Date,State,Item,Net,Tax', ...sales].join('\n')}\n`);

  await write(sale('1', '7.25'));
  expect(await shop.close()).toMatchObject({ readiness: { ready: true }, totals: { variance: '0.00' } });

  // 8.75 is right in the seller's own city, too: among many places one always fits, so none is tried.
  await write(sale('1', '7.25'), sale('2', '8.75'), sale('3', '6.25'));
  expect(await shop.close()).toMatchObject({
    totals: { collected: '22.25', expected: '21.75' },
    clusters: expect.arrayContaining([
      expect.objectContaining({ code: 'R28', part: 'gap', records: 1, effect: '1.50' }),
      expect.objectContaining({ code: 'R02', part: 'seller', records: 1, effect: '-1.00' }),
    ]),
    readiness: { ready: false, reasons: [{ kind: 'gap', code: 'R28', state: 'CA', effect: '1.50' }] },
  });
  // 7.25 % of 300.00 as the form rounds its lines, 18 and 1 and 3, and 2 for the place: nothing is paid twice.
  expect(await shop.rows('Pay', '2026-10', 'filing-summary')).toMatchObject([{ State: 'CA', 'To pay': 24 }]);

  // No place has as much as 17.75 % beside the state's tax.
  await write(sale('1', '25.00'));
  expect((await shop.close()).reasons).toContainEqual(
    expect.objectContaining({ code: 'R99', over: '17.75' }),
  );
  await write(sale('1', '7.25'), sale('2', '8.75'), sale('3', '6.25'));

  await shop.close();
  const [, key] = /("2026-10 gap in CA[^"]+")/.exec(await shop.read('out/shop/2026-10/open-items.csv')) ?? [];
  await shop.write('decisions.csv', `key,decision,why\n${key},Accept,all of them went to Sacramento\n`);
  expect(await shop.close()).toMatchObject({ readiness: { ready: true }, totals: { variance: '0.50' } });
});
