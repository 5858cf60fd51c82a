import type { Meaning } from './guess-columns.ts';

/** The columns that were guessed for their meanings. */
export type Guess = Partial<Record<Meaning, string>>;

export const quoted = (text: string): string => JSON.stringify(text);
export const listed = (columns: readonly string[]): string => `[${columns.map(quoted).join(', ')}]`;
export const firstOf = (columns: readonly string[]): string => columns.find((column) => column !== '') ?? '';

type Rows = {
  /** Meanings whose cells differ between the rows of one order. */
  readonly ofLines: readonly Meaning[];
  /** Each row is an order. */
  readonly isOfOrders: boolean;
  readonly quantities: readonly string[];
};

/** The lines of a draft that say what the columns mean for a sale. */
export const mapLines = (
  guess: Guess,
  columns: readonly string[],
  { ofLines, isOfOrders, quantities }: Rows,
): readonly string[] => {
  const text = (meaning: Meaning): string =>
    guess[meaning] === undefined
      ? `{ constant: "" } # DECIDE: no column looks like the ${meaning}.`
      : quoted(guess[meaning]);
  const amountIn = (meaning: Meaning): string => {
    const cell = `{ orZero: ${quoted(guess[meaning] ?? '')} }`;
    return ofLines.includes(meaning) ? `{ sumRows: ${cell} }` : cell;
  };
  const amount = (meaning: Meaning): string => {
    const column = guess[meaning];
    if (column === undefined) return `{ constant: "0.00" } # DECIDE: no column looks like the ${meaning}.`;
    return ofLines.includes(meaning)
      ? `${amountIn(meaning)} # DECIDE: it differs between the rows of an order.`
      : amountIn(meaning);
  };
  const country =
    guess.country === undefined
      ? '{ constant: US } # DECIDE: no column names the country.'
      : quoted(guess.country);
  const net = isOfOrders ? undefined : guess.net;
  const hasLines = guess.quantity !== undefined && (guess.unitPrice ?? net) !== undefined;
  const present = guess.description ?? guess.sku ?? guess.id ?? firstOf(columns);
  return [
    'map:',
    ...(guess.reference === undefined || guess.id === undefined
      ? []
      : [
          `  refundId: ${quoted(guess.id)}`,
          `  reference: ${quoted(guess.reference)} # DECIDE: does it name the order that a refund gives back?`,
        ]),
    ...(guess.customer === undefined ? [] : [`  customer: ${quoted(guess.customer)}`]),
    '  shipTo:',
    `    country: ${country}`,
    ...(['state', 'zip', 'city', 'street'] as const).map((meaning) => `    ${meaning}: ${text(meaning)}`),
    ...goodsLines(guess, { hasLines, net, isOfLines: ofLines.includes('goods') }),
    `  shipping: ${amount('shipping')}`,
    guess.shippingTax === undefined
      ? `  salesTax: ${amount('tax')}`
      : `  salesTax: { sum: [${amountIn('tax')}, ${amountIn('shippingTax')}] } # DECIDE: is the one in the other?`,
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
          quantities.includes('')
            ? `    quantity: { first: [${quoted(guess.quantity ?? '')}, { constant: "1" }] }`
            : `    quantity: ${quoted(guess.quantity ?? '')}`,
          `    description: ${text('description')}`,
          `    sku: ${text('sku')}`,
          net === undefined
            ? `    unitPrice: ${quoted(guess.unitPrice ?? '')}`
            : `    net: ${quoted(net)} # DECIDE: after the discount of the line?`,
          ...(guess.discount === undefined ? [] : [`    discount: { orZero: ${quoted(guess.discount)} }`]),
          '    # DECIDE: are gift cards or tips among the lines? Then:',
          `    # rules: [{ when: [{ column: ${quoted(present)}, matches: "gift ?card" }], treat: gift-card }]`,
        ]
      : ['  # DECIDE: no columns for quantity and price were found, so orders have no lines.']),
    ...(guess.exempt === undefined
      ? []
      : [
          `  # DECIDE: does ${quoted(guess.exempt)} say that a sale is exempt, and why? Then:`,
          `  # exemption: [{ when: [{ column: ${quoted(guess.exempt)}, is: filled }], type: wholesale }]`,
        ]),
  ];
};

/** Without goods and lines an order would be worth its shipping: then they are what the total has beside the rest. */
const goodsLines = (
  guess: Guess,
  {
    hasLines,
    net,
    isOfLines,
  }: { readonly hasLines: boolean; readonly net: string | undefined; readonly isOfLines: boolean },
): readonly string[] => {
  if (guess.orderDiscount !== undefined && net !== undefined)
    return [
      `  goods: { subtract: [{ sumRows: { orZero: ${quoted(net)} } }, { orZero: { once: ${quoted(guess.orderDiscount)} } }] } # DECIDE: are the lines before the discount of the order?`,
    ];
  if (guess.goods !== undefined)
    return [
      isOfLines
        ? `  goods: { sumRows: { orZero: ${quoted(guess.goods)} } } # DECIDE: it differs between the rows of an order.`
        : `  goods: ${quoted(guess.goods)}`,
    ];
  if (hasLines) return [];
  if (guess.total === undefined) return ['  # DECIDE: no column says what the goods cost.'];
  const rest = [guess.shipping, guess.tax].filter((column) => column !== undefined);
  const goods =
    rest.length === 0
      ? quoted(guess.total)
      : `{ subtract: [${quoted(guess.total)}, { orZero: { sum: ${listed(rest)} } }] }`;
  return [`  goods: ${goods} # DECIDE: is the tax in the total?`];
};
