import type { ColumnGuess, Meaning } from './guess-columns.ts';

/** The guessed column for each meaning. */
export type Guess = Partial<Record<Meaning, string>>;

export const quoted = (text: string): string => JSON.stringify(text);
export const listed = (columns: readonly string[]): string => `[${columns.map(quoted).join(', ')}]`;
export const firstOf = (columns: readonly string[]): string => columns.find((column) => column !== '') ?? '';

type Rows = {
  /** Meanings whose cells differ between the rows of one order. */
  readonly ofLines: readonly Meaning[];
  /** Whether each row is an order. */
  readonly isOfOrders: boolean;
  readonly quantities: readonly string[];
  readonly exemptions: readonly string[];
};

/** The lines of a draft that map columns to the parts of a sale. */
export const mapLines = (
  guess: Guess,
  columns: readonly string[],
  { ofLines, isOfOrders, quantities, exemptions }: Rows,
): readonly string[] => {
  const text = (meaning: Meaning): string =>
    guess[meaning] === undefined
      ? `{ constant: "" } # DECIDE: which column is the ${NAMES[meaning] ?? meaning}? ${NONE}`
      : quoted(guess[meaning]);
  const amountIn = (meaning: Meaning): string => {
    const cell = `{ orZero: ${quoted(guess[meaning] ?? '')} }`;
    return ofLines.includes(meaning) ? `{ sumRows: ${cell} }` : cell;
  };
  const amount = (meaning: Meaning): string => {
    const column = guess[meaning];
    if (column === undefined)
      return `{ constant: "0.00" } # DECIDE: which column is the ${NAMES[meaning] ?? meaning}? ${NONE}`;
    return ofLines.includes(meaning)
      ? `${amountIn(meaning)} # DECIDE: the rows of an order differ, so they are added up. Is that right?`
      : amountIn(meaning);
  };
  const country =
    guess.country === undefined
      ? '{ constant: US } # DECIDE: do all sales go to the US? No column names the country.'
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
          `  reference: ${quoted(guess.reference)} # DECIDE: does it have the number of the order that was refunded?`,
        ]),
    ...(guess.customer === undefined ? [] : [`  customer: ${quoted(guess.customer)}`]),
    '  shipTo:',
    `    country: ${country}`,
    ...(['state', 'zip', 'city', 'street'] as const).map((meaning) => `    ${meaning}: ${text(meaning)}`),
    ...placeLines(guess, columns),
    ...goodsLines(guess, { hasLines, net, isOfLines: ofLines.includes('goods') }),
    `  shipping: ${amount('shipping')}`,
    guess.shippingTax === undefined
      ? `  salesTax: ${amount('tax')}`
      : `  salesTax: { sum: [${amountIn('tax')}, ${amountIn('shippingTax')}] } # DECIDE: does the one include the other? Then keep only that.`,
    ...(guess.total === undefined
      ? []
      : [
          ofLines.includes('total')
            ? `  total: { sumRows: ${quoted(guess.total)} } # DECIDE: the rows of an order differ, so they are added up. Is that right?`
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
            : `    net: ${quoted(net)} # DECIDE: is this after the discount of the line?`,
          ...(guess.discount === undefined ? [] : [`    discount: { orZero: ${quoted(guess.discount)} }`]),
          '    # DECIDE: are gift cards or tips among the lines? Then:',
          `    # rules: [{ when: [{ column: ${quoted(present)}, matches: "gift ?card" }], treat: gift-card }]`,
        ]
      : ['  # DECIDE: which columns are quantity and price? None were found, so orders have no lines.']),
    ...exemptionLines(guess, exemptions),
    ...marketplaceLines(guess),
  ];
};

const NONE = 'None looks like it. If there is none, keep the line.';

/** Suggestions for the place if no column has a ZIP code. */
const placeLines = ({ state, zip, id, location }: Guess, columns: readonly string[]): readonly string[] => {
  if (zip !== undefined) return [];
  if (state !== undefined)
    return [
      '  # DECIDE: without ZIP codes every sale needs a review. Is each state to be taken as a whole, without local tax? Then:',
      '  # stateIsEnough: true',
      '  # Or is it the state of the shop, for sales made in person? Then write `state: { constant: "" }` above, use the line below, and give',
      '  # each shop that the column names its address, as `locations` of the channel.',
      `  # location: ${quoted(location ?? state)}`,
    ];
  return [
    '  # DECIDE: without state and ZIP code every sale needs a review. Were all sales made in person in one place, at your address? Then',
    '  # `inPerson`. In several places: `location`, the column with their names, which get their addresses as `locations` of the channel.',
    `  # inPerson: { column: ${quoted(id ?? firstOf(columns))}, is: filled }`,
    `  # location: ${quoted(location ?? 'COLUMN')}`,
  ];
};

/** The exemption lines: one for each reason in the cells, since each has its own type. */
const exemptionLines = ({ exempt }: Guess, values: readonly string[]): readonly string[] => {
  if (exempt === undefined) return [];
  const reasons = [...new Set(values)].filter((value) => !/^(no?|false|0|)$/i.test(value)).sort();
  const tests =
    reasons.length > KINDS_MAX ? [] : reasons.map((value) => ({ test: `in: [${quoted(value)}]`, value }));
  return [
    `  # DECIDE: does ${quoted(exempt)} say that a sale is exempt, and why? Then:`,
    '  # exemption:',
    ...(tests.length > 0 ? tests : [{ test: 'is: filled', value: 'resale' }]).map(
      ({ test, value }) =>
        `  #   - { when: [{ column: ${quoted(exempt)}, ${test} }], type: ${exemptionType(value)} }`,
    ),
  ];
};

const exemptionType = (reason: string): 'wholesale' | 'government' | 'other' =>
  /resale|wholesale/i.test(reason) ? 'wholesale' : /gov|federal/i.test(reason) ? 'government' : 'other';

const marketplaceLines = ({ marketplace, marketplaceTax }: Guess): readonly string[] => [
  ...(marketplace === undefined
    ? []
    : [
        `  # DECIDE: does ${quoted(marketplace)} name a marketplace that remits the tax of a sale? Then:`,
        `  # marketplace: { when: [{ column: ${quoted(marketplace)}, is: filled }] }`,
      ]),
  ...(marketplaceTax === undefined
    ? []
    : [
        `  # DECIDE: is ${quoted(marketplaceTax)} the tax that a marketplace remits? Then:`,
        `  # marketplaceTax: { orZero: ${quoted(marketplaceTax)} }`,
      ]),
];

/** The line for goods. Without goods and lines, an order would only have shipping: then the total gives the goods. */
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
      `  goods: { subtract: [{ sumRows: { orZero: ${quoted(net)} } }, { orZero: { once: ${quoted(guess.orderDiscount)} } }] } # DECIDE: are these amounts before the discount of the order?`,
    ];
  if (guess.goods !== undefined)
    return [
      isOfLines
        ? `  goods: { sumRows: { orZero: ${quoted(guess.goods)} } } # DECIDE: the rows of an order differ, so they are added up. Is that right?`
        : `  goods: ${quoted(guess.goods)}`,
    ];
  if (hasLines) return [];
  if (guess.total === undefined)
    return ['  # DECIDE: which column is the price of all goods? None looks like it.'];
  const rest = [guess.shipping, guess.tax].filter((column) => column !== undefined);
  const goods =
    rest.length === 0
      ? quoted(guess.total)
      : `{ subtract: [${quoted(guess.total)}, { orZero: { sum: ${listed(rest)} } }] }`;
  return [`  goods: ${goods} # DECIDE: does the total include the tax?`];
};

/** Maximum number of record kinds to list; more distinct values are not kinds. */
const KINDS_MAX = 20;

/** Cells by row, one for each row. */
type Cells = {
  readonly types: readonly string[];
  readonly statuses: readonly string[];
  readonly amounts: readonly string[];
};

/** The rule lines of a draft, which separate sales from refunds and other rows: one question for each kind of row. */
export const ruleLines = (guess: Guess, columns: readonly string[], cells: Cells): readonly string[] => {
  const kinds = kindsOf(guess, cells);
  if (kinds.length === 0 || kinds.length > KINDS_MAX) {
    const amount = guess.total ?? guess.tax;
    const below = cells.amounts.filter(isNegative).length;
    const refunds =
      amount === undefined || below === 0
        ? []
        : [
            `  # DECIDE: ${below} of ${cells.amounts.length} rows ${below === 1 ? 'has an amount' : 'have amounts'} below zero. Are these refunds?`,
            `  - { when: [{ amount: { orZero: ${quoted(amount)} }, sign: negative }], treat: refund }`,
          ];
    return [
      `# DECIDE: is every ${below === 0 ? '' : 'other '}row a sale? No column says whether an order was paid, cancelled or a test.`,
      'rules:',
      ...refunds,
      `  - { when: [{ column: ${quoted(guess.id ?? firstOf(columns))}, is: filled }], treat: order }`,
    ];
  }
  return [
    '# DECIDE: which of these rows are sales, which are refunds, which are neither? Until you decide, all need a review.',
    '# Sales: replace `treat: review` and the rest of the line with `treat: order }`. Refunds: with `treat: refund }`.',
    '# Neither: write `ignore` in place of `review`, and your own reason and message.',
    'rules:',
    ...kinds.map(
      ({ tests, isRefund }) =>
        `  - { when: [${tests.join(', ')}], treat: review, ${isRefund ? 'as: refund, ' : ''}reason: undecided, message: "the profile does not say yet what this is" }`,
    ),
  ];
};

type Kind = { readonly tests: readonly string[]; readonly isRefund: boolean };

/** The kinds of rows by type and status. A kind is a refund if all of its amounts are negative. */
const kindsOf = (guess: Guess, { types, statuses, amounts }: Cells): readonly Kind[] => {
  const columns = [
    { column: guess.type, values: types },
    { column: guess.status, values: statuses },
  ].filter(({ values }) => values.some((value) => value !== '') && new Set(values).size <= KINDS_MAX);
  const amountsOf = new Map<string, string[]>();
  for (const [index, amount] of amounts.entries()) {
    const tests = columns.map(({ column, values }) =>
      values[index] ? `{ column: ${quoted(column ?? '')}, in: [${quoted(values[index])}] }` : '',
    );
    if (tests.length === 0 || tests.includes('')) continue;
    const key = tests.join('\n');
    amountsOf.set(key, [...(amountsOf.get(key) ?? []), amount]);
  }
  return [...amountsOf].sort(byText).map(([key, of]) => ({
    tests: key.split('\n'),
    isRefund: of.some(isNegative) && of.every((amount) => amount === '' || isNegative(amount)),
  }));
};

const byText = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : 1;

const isNegative = (amount: string): boolean => /^\W*[-(\u2212]|-$/.test(amount);

/** Plain names of meanings whose identifiers are not clear on their own. */
const NAMES: Partial<Record<Meaning, string>> = {
  id: 'number of the order',
  reference: 'number of the order that was refunded',
  zip: 'ZIP code',
  net: 'amount of the line',
  goods: 'price of all goods, after discounts',
  total: 'total of the order',
  tax: 'sales tax that was charged',
  shippingTax: 'tax on the shipping',
  refunded: 'amount that was refunded',
  unitPrice: 'price of one unit',
  discount: 'discount of the line',
  orderDiscount: 'discount of the order',
  sku: 'item number',
};

/** Return a function that adds a question to each line with an unsure column, unless the line already has one. */
export const askAbout = ({ guess, unsure }: ColumnGuess): ((line: string) => string) => {
  const open = [...unsure];
  return (line) => {
    if (line.includes(' # DECIDE') || line.trimStart().startsWith('#')) return line;
    const meaning = open.find((one) => line.includes(quoted(guess[one] ?? '')));
    return meaning === undefined ? line : `${line} # DECIDE: is this the ${NAMES[meaning] ?? meaning}?`;
  };
};
