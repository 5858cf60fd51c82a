/** Optional keys of `map`, each with an example and its purpose. */
const KEYS: readonly (readonly [key: string, example: string, what: string])[] = [
  ['refundId', '"COLUMN"', 'the number that a refund row has of its own'],
  ['reference', '"COLUMN"', 'of a refund row: the number of the order that it gives back'],
  [
    'refunded',
    '{ orZero: "COLUMN" }',
    'on the row of the order: what was given back of it so far, tax included',
  ],
  ['customer', '"COLUMN"', 'the number or name of the buyer, by which certificates are found'],
  [
    'location',
    '"COLUMN"',
    'the shop in which a sale in person was made, by its name in `locations` of the channel',
  ],
  [
    'inPerson',
    '{ column: "COLUMN", in: ["TEXT"] }',
    'sales in person: they happen in that shop, else at your address',
  ],
  ['goods', '"COLUMN"', 'the price of all goods after discounts, without shipping and tax'],
  ['total', '"COLUMN"', 'what the buyer was asked to pay; goods, shipping and tax must come to it'],
  [
    'fees',
    '[{ description: Fee, amount: { orZero: "COLUMN" } }]',
    'what was charged beside goods and shipping',
  ],
  [
    'exemption',
    '[{ when: [{ column: "COLUMN", is: filled }], type: wholesale }]',
    'when a sale is exempt: wholesale (for resale), government or other',
  ],
  [
    'marketplace',
    '{ when: [{ column: "COLUMN", is: filled }] }',
    'when a marketplace collects the tax of a sale and remits it',
  ],
];

/** Add a comment for each key that these lines of `map` neither use nor ask about, so that users know of it. */
export const otherKeys = (lines: readonly string[]): readonly string[] => {
  const named = new Set(lines.flatMap((line) => /^ {2}(?:# )?(\w+):/.exec(line)?.[1] ?? []));
  const others = KEYS.filter(([key]) => !named.has(key));
  return [
    '  # No column was found for these. To use one, write the column in place of COLUMN and remove the first #:',
    ...others.map(([key, example, what]) => `  # ${key}: ${example} # ${what}`),
  ];
};
