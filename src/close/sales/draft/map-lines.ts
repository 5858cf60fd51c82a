import type { Meaning } from './guess-columns.ts';

/** The columns that were guessed for their meanings. */
export type Guess = Partial<Record<Meaning, string>>;

export const quoted = (text: string): string => JSON.stringify(text);
export const listed = (columns: readonly string[]): string => `[${columns.map(quoted).join(', ')}]`;
export const firstOf = (columns: readonly string[]): string => columns.find((column) => column !== '') ?? '';

/**
 * The lines of a draft that say what the columns mean for a sale.
 *
 * @param ofLines meanings whose cells differ between the rows of one order
 */
export const mapLines = (
  guess: Guess,
  columns: readonly string[],
  ofLines: readonly Meaning[],
): readonly string[] => {
  const text = (meaning: Meaning): string =>
    guess[meaning] === undefined
      ? `{ constant: "" } # DECIDE: no column looks like the ${meaning}.`
      : quoted(guess[meaning]);
  const amount = (meaning: Meaning): string => {
    const column = guess[meaning];
    if (column === undefined) return `{ constant: "0.00" } # DECIDE: no column looks like the ${meaning}.`;
    return ofLines.includes(meaning)
      ? `{ sumRows: { orZero: ${quoted(column)} } } # DECIDE: it differs between the rows of an order.`
      : `{ orZero: ${quoted(column)} }`;
  };
  const country =
    guess.country === undefined
      ? '{ constant: US } # DECIDE: no column names the country.'
      : quoted(guess.country);
  const hasLines = guess.quantity !== undefined && guess.unitPrice !== undefined;
  const present = guess.description ?? guess.sku ?? guess.id ?? firstOf(columns);
  return [
    'map:',
    '  shipTo:',
    `    country: ${country}`,
    ...(['state', 'zip', 'city', 'street'] as const).map((meaning) => `    ${meaning}: ${text(meaning)}`),
    ...goodsLines(guess, hasLines),
    `  shipping: ${amount('shipping')}`,
    `  salesTax: ${amount('tax')}`,
    ...(guess.total === undefined
      ? []
      : [
          ofLines.includes('total')
            ? `  total: { sumRows: ${quoted(guess.total)} } # DECIDE: it differs between the rows of an order.`
            : `  total: ${quoted(guess.total)}`,
        ]),
    ...(guess.refunded === undefined ? [] : [`  refunded: { orZero: ${quoted(guess.refunded)} }`]),
    ...(hasLines
      ? [
          '  line:',
          `    present: ${quoted(present)}`,
          `    quantity: ${quoted(guess.quantity ?? '')}`,
          `    description: ${text('description')}`,
          `    sku: ${text('sku')}`,
          `    unitPrice: ${quoted(guess.unitPrice ?? '')}`,
          ...(guess.discount === undefined ? [] : [`    discount: { orZero: ${quoted(guess.discount)} }`]),
        ]
      : ['  # DECIDE: no columns for quantity and price were found, so orders have no lines.']),
  ];
};

/** Without goods and lines an order would be worth its shipping: then they are what the total has beside the rest. */
const goodsLines = (guess: Guess, hasLines: boolean): readonly string[] => {
  if (guess.goods !== undefined) return [`  goods: ${quoted(guess.goods)}`];
  if (hasLines) return [];
  if (guess.total === undefined) return ['  # DECIDE: no column says what the goods cost.'];
  const rest = [guess.shipping, guess.tax].filter((column) => column !== undefined);
  const goods =
    rest.length === 0
      ? quoted(guess.total)
      : `{ subtract: [${quoted(guess.total)}, { orZero: { sum: ${listed(rest)} } }] }`;
  return [`  goods: ${goods} # DECIDE: is the tax in the total?`];
};
