import { type Found, listed, quoted, sumIn } from './found.ts';
import type { Meaning, SampleColumn } from './guess-columns.ts';
import { isOfLines } from './sample-amounts.ts';

/** The lines of a draft that map columns to the parts of a sale. */
export const mapLines = (found: Found): readonly string[] => {
  const { guess, price: prices, orders } = found;
  const { total, isProven } = prices;
  const text = (meaning: Meaning, what: string): string =>
    guess[meaning]
      ? quoted(guess[meaning].name)
      : `{ constant: "" } # DECIDE: no column looks like the ${what}.`;
  const cell = (column: SampleColumn): string =>
    isOfLines(column, orders)
      ? `{ sumRows: { orZero: ${quoted(column.name)} } }`
      : `{ orZero: ${quoted(column.name)} }`;
  const amount = (column: SampleColumn | undefined, what: string): string => {
    if (!column)
      return `{ constant: "0.00" } # DECIDE: which column is the ${what}? None looks like it. If there is none, keep the line.`;
    const question = isProven ? '' : `DECIDE: is this the ${what}? `;
    return `${cell(column)} # ${question}In the sample it comes to ${sumIn(column, orders)}.`;
  };
  return [
    'map:',
    '  shipTo:',
    guess.country
      ? `    country: ${quoted(guess.country.name)}`
      : '    country: { constant: US } # DECIDE: do all sales go to the US? No column names the country.',
    `    state: ${text('state', 'state')}`,
    `    zip: ${text('zip', 'ZIP code')}`,
    `    city: ${text('city', 'city')}`,
    `    street: ${text('street', 'street')}`,
    ...(guess.zip
      ? []
      : [
          '  # DECIDE: without a ZIP code every sale needs a review. Sold in person: `inPerson`, or `location` with the column of the shop.',
          '  # A state alone, taken as a whole: `stateIsEnough: true`.',
        ]),
    ...(isProven ? ['  # Goods, shipping and tax come to the total in every order of the sample.'] : []),
    ...goodsLines(found, amount),
    `  shipping: ${amount(guess.shipping, 'shipping')}`,
    `  salesTax: ${amount(guess.tax, 'sales tax that was charged')}`,
    total
      ? `  total: ${isOfLines(total, orders) ? `{ sumRows: ${quoted(total.name)} }` : quoted(total.name)}`
      : '  # total: no column is goods, shipping and tax together. With one, every record proves itself.',
    ...(guess.refunded
      ? [
          `  refunded: ${cell(guess.refunded)} # DECIDE: was this given back of the order? In the sample it comes to ${sumIn(guess.refunded, orders)}.`,
        ]
      : []),
    ...lineLines(found),
    '  # Where a column says so: refundId and reference (rows that give back an order), customer, location, inPerson, fees, exemption,',
    '  # marketplace and marketplaceTax (who collects the tax). docs/source-profile-keys.md has each.',
  ];
};

/** The goods: a column of them, or what the total has beside shipping and tax. Prices of units give them with the lines. */
const goodsLines = (
  { guess: { shipping, tax }, price: { goods, total } }: Found,
  amount: (column: SampleColumn | undefined, what: string) => string,
): readonly string[] => {
  if (goods?.of === 'unit') return [];
  if (goods) return [`  goods: ${amount(goods.column, 'price of all goods, after discounts')}`];
  if (!total) return ['  # DECIDE: which column is the price of all goods? None looks like it.'];
  const rest = [shipping, tax].flatMap((column) => column?.name ?? []);
  if (rest.length === 0) return [`  goods: ${amount(total, 'price of all goods, after discounts')}`];
  return [
    `  goods: { subtract: [${quoted(total.name)}, { orZero: { sum: ${listed(rest)} } }] } # DECIDE: does the total include the tax?`,
  ];
};

const lineLines = ({ guess, price: { goods, isProven }, kind, orders }: Found): readonly string[] => {
  const { quantity, description, sku, id } = guess;
  const present = description ?? sku ?? id;
  const isOfRow =
    goods?.of === 'unit' || kind === 'order-per-row' || (goods && isOfLines(goods.column, orders));
  const price = isOfRow ? goods : guess.price && { column: guess.price, of: 'unit' as const };
  if (!quantity || !present || !price)
    return ['  # DECIDE: which columns are quantity and price? None were found, so orders have no lines.'];
  const isKnown = isOfRow && (isProven || goods?.of === 'all');
  return [
    '  line:',
    `    present: ${quoted(present.name)}`,
    quantity.cells.includes('')
      ? `    quantity: { first: [${quoted(quantity.name)}, { constant: "1" }] }`
      : `    quantity: ${quoted(quantity.name)}`,
    `    description: ${quoted(present.name)}`,
    `    sku: ${sku ? quoted(sku.name) : '{ constant: "" }'}`,
    price.of === 'all'
      ? `    net: ${quoted(price.column.name)}`
      : `    unitPrice: ${quoted(price.column.name)}${isKnown ? '' : ' # DECIDE: is this the price of one unit, or of all of them (`net`)?'}`,
  ];
};
