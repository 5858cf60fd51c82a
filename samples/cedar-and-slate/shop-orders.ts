import { SHOPIFY_COLUMNS } from '../harbor-and-pine/generator/shopify-columns.ts';
import { csvOf, dollars, type Order, ordersTo } from './orders.ts';
import type { PlaceName } from './places.ts';

/** The order that is charged without the commuter district’s 0.375 %. */
const WRONG = 3047;

const PLACES_OF_SHOP: readonly PlaceName[] = [
  ...([
    'springfieldIl',
    'denver',
    'kansasCity',
    'birmingham',
    'newOrleans',
    'seattle',
    'austin',
    'newYork',
  ] as const),
  ...([
    'carbondale',
    'coloradoSprings',
    'warrensburg',
    'gulfShores',
    'batonRouge',
    'leavenworth',
    'houston',
    'rochester',
  ] as const),
  ...([
    'bloomington',
    'grandJunction',
    'springfieldMo',
    'huntsville',
    'metairie',
    'spokane',
    'dallas',
    'buffalo',
  ] as const),
  ...(['anna', 'salida', 'stLouis', 'gulfShores', 'shreveport', 'ellensburg', 'austin', 'newYork'] as const),
  ...([
    'springfieldIl',
    'coloradoSprings',
    'warrensburg',
    'birmingham',
    'batonRouge',
    'seattle',
    'houston',
    'rochester',
  ] as const),
  ...([
    'carbondale',
    'pueblo',
    'kansasCity',
    'huntsville',
    'newOrleans',
    'spokane',
    'newYork',
    'denver',
  ] as const),
];

/** The shop’s export of October 2026: 48 orders, each with its taxes by jurisdiction, rounded one by one. */
export const shopOrders = (): string =>
  csvOf(
    SHOPIFY_COLUMNS,
    ordersTo(PLACES_OF_SHOP, 3001, ({ taxes }, number) =>
      number === WRONG ? taxes.filter(([name]) => !name.includes('Commuter')) : taxes,
    ).map(rowOf),
  );

const rowOf = ({
  number,
  day,
  place,
  item,
  quantity,
  goods,
  taxes,
}: Order): Readonly<Record<string, string>> => {
  const tax = taxes.reduce((total, { cents }) => total + cents, 0);
  const at = `2026-10-${String(day).padStart(2, '0')} 10:${String(number % 60).padStart(2, '0')}:00 -0700`;
  const lines = taxes.flatMap(({ tax: [name, rate], cents }, index) => [
    [`Tax ${index + 1} Name`, `${name} ${rate / 1000}%`],
    [`Tax ${index + 1} Value`, dollars(cents)],
  ]);
  return {
    Name: `#${number}`,
    'Financial Status': 'paid',
    'Paid at': at,
    'Created at': at,
    Currency: 'USD',
    Subtotal: dollars(goods),
    Shipping: '0.00',
    Taxes: dollars(tax),
    Total: dollars(goods + tax),
    'Lineitem quantity': String(quantity),
    'Lineitem name': item.name,
    'Lineitem price': dollars(item.cents),
    'Lineitem sku': item.sku,
    'Lineitem requires shipping': 'true',
    'Lineitem taxable': 'true',
    'Lineitem discount': '0.00',
    'Shipping Name': 'Ann Example',
    'Shipping Street': place.street,
    'Shipping Address1': place.street,
    'Shipping City': place.city,
    'Shipping Zip': place.zip,
    'Shipping Province': place.state,
    'Shipping Country': 'US',
    'Refunded Amount': '0.00',
    Source: 'web',
    ...Object.fromEntries(lines),
  };
};
