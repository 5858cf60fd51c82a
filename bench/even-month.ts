import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EVEN_STATES, evenRate, evenTax } from './even-tax.ts';

/** The 79 columns of a storefront's order export. */
const HEADER =
  'Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Accepts Marketing,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem compare at price,Lineitem sku,Lineitem requires shipping,Lineitem taxable,Lineitem fulfillment status,Billing Name,Billing Street,Billing Address1,Billing Address2,Billing Company,Billing City,Billing Zip,Billing Province,Billing Country,Billing Phone,Shipping Name,Shipping Street,Shipping Address1,Shipping Address2,Shipping Company,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Shipping Phone,Notes,Note Attributes,Cancelled at,Payment Method,Payment Reference,Refunded Amount,Vendor,Outstanding Balance,Employee,Location,Device ID,Id,Tags,Risk Level,Source,Lineitem discount,Tax 1 Name,Tax 1 Value,Tax 2 Name,Tax 2 Value,Tax 3 Name,Tax 3 Value,Tax 4 Name,Tax 4 Value,Tax 5 Name,Tax 5 Value,Phone,Receipt Number,Duties,Billing Province Name,Shipping Province Name,Payment ID,Payment Terms Name,Next Payment Due At,Payment References';

const PLACES = [
  ['Boston', "'02139", 'MA', 'Massachusetts'],
  ['Baltimore', "'21201", 'MD', 'Maryland'],
  ['Portland', "'04101", 'ME', 'Maine'],
] as const;

const ORDERS_PER_PIECE = 500;

/** Write an export of a number of rows, two to an order, with quoted lines, doubled quotes and guarded ZIPs. */
export const writeStorefrontExport = (path: string, rows: number): Promise<void> =>
  pipeline(Readable.from(pieces(rows / 2)), createWriteStream(path));

function* pieces(orders: number): Generator<string> {
  yield `${HEADER}\n`;
  for (let first = 0; first < orders; first += ORDERS_PER_PIECE) {
    let piece = '';
    for (let index = first; index < Math.min(orders, first + ORDERS_PER_PIECE); index += 1)
      piece += order(index);
    yield piece;
  }
}

const order = (index: number): string => {
  const [city, zip, state, stateName] = PLACES[index % PLACES.length] ?? PLACES[0];
  const name = `#${10_000 + index}`;
  const email = `buyer${index}@example.com`;
  const day = String((index % 28) + 1).padStart(2, '0');
  const time = `2026-10-${day} ${String(index % 24).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}:07 -0700`;
  const cents = 2000 + (index % 7919);
  const dollars = (amount: number) => (amount / 100).toFixed(2);
  const tax = evenTax(state, cents + 1295);
  const rate = `${stateName} State Tax ${100 * evenRate(state)}%`;
  const address = `Sam Larkspur,${index} Granite Way,${index} Granite Way,,,${city},${zip},${state},US,'+12125550138`;
  const note = index % 10 === 0 ? `"Leave it\nat the ""back"" door, please"` : '';
  const first = `${name},${email},paid,${time},fulfilled,${time},yes,USD,${dollars(cents + 1295)},9.95,${dollars(tax)},${dollars(cents + 1295 + 995 + tax)},,0.00,Standard Shipping,${time},1,"Insulated Bottle, 24 oz - Fog",${dollars(cents)},,OUT-BTL07,true,true,fulfilled,${address},${address},${note},,,Shopify Payments,c${index}.1,0.00,Harbor & Pine Supply Co.,0.00,,,,${6_120_174_161_920 + index},repeat,Low,web,0.00,${rate},${dollars(tax)},,,,,,,,,,,,${stateName},${stateName},r48qz8tHp,,,c${index}.1\n`;
  const second = `${name},${email},,,,,,,,,,,,,,${time},1,"Steel Thermos, 32 oz",12.95,,GEN-THR06,true,true,fulfilled,,,,,,,,,,,,,,,,,,,,,,,,,,,Harbor & Pine Supply Co.,,,,,,,,,0.00,,,,,,,,,,,,,,,,,,,\n`;
  return first + second;
};

const REGISTERED = EVEN_STATES.map((state) => `{ state: ${state}, since: "2019-01-01" }`);

/**
 * Configure the seller of that export in a folder, for the service of `latency-service.ts`, which charges what this
 * export says and knows no refunds.
 */
export const configureEvenMonth = (folder: string, more: string): void =>
  writeFileSync(
    join(folder, 'tieout.yaml'),
    `entity: bench
name: Bench
timeZone: America/Los_Angeles
shipFrom: { country: US, state: CA, zip: "94607", city: Oakland, street: 1 Pier }
registrations: [${REGISTERED.join(', ')}]
channels: [{ name: shopify, files: [orders.csv] }]
${more}`,
  );
