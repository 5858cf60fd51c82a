import { basename } from 'node:path';
import { formatMoney, moneyOfPrice, price } from '../../kernel/money.ts';
import { quoted } from '../../kernel/text.ts';
import {
  amountColumns,
  dateFormsOf,
  filledOf,
  findPrice,
  type Guess,
  guessColumns,
  isFlag,
  type Meaning,
  type PriceColumns,
  type SampleColumn,
  saysYes,
} from './guess-columns.ts';
import { TO_DECIDE } from './profile.ts';
import {
  amountOf,
  amountsIn,
  isOfLines,
  type OrderRows,
  ordersOf,
  type Sample,
  sampleOf,
  sumOf,
} from './sample.ts';
import type { SurveyedFile } from './survey-file.ts';
import { normalColumn } from './table-row.ts';

/**
 * Draft a source profile as YAML: columns by the words of the header and by what their cells hold, and `DECIDE` where
 * only a person can know. The draft can be tried at once with `tieout profile test FILE --profile DRAFT`.
 *
 * @throws {ExportError} when no row looks like a header
 */
export const draftProfile = async (file: SurveyedFile): Promise<string> => textOf(file, await sampleOf(file));

const textOf = (file: SurveyedFile, { header, columns, rows, footers }: Sample): string => {
  const guess = guessColumns(columns);
  const { kind, orders } = ordersIn(guess, columns);
  const found = { guess, price: findPrice(guess, columns, orders), kind, orders, columns };
  const name = basename(file.name).replace(/\.\w+(\.gz)?$/, '');
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const ownNames = new Set(header.cells.map(normalColumn));
  const named = columns
    .map((column) => column.name)
    .filter((one) => one !== '' && ownNames.has(normalColumn(one)));
  const required = (['id', 'date', 'tax', 'state', 'zip'] as const).flatMap(
    (meaning) => guess[meaning]?.name ?? [],
  );
  const keys = [
    'detect:',
    '  # Columns without which a file is not of this kind.',
    `  required: ${listed(required.length > 0 ? required : named.slice(0, 1))}`,
    ...fileLines(footers),
    '',
    ...localeLines(found),
    '',
    ...shapeLines(found),
    '',
    ...ruleLines(found),
    '',
    ...mapLines(found),
    '',
    `controls: ${listed([...new Set([found.price.goods?.column, guess.shipping, guess.tax, found.price.total])].flatMap((column) => column?.name ?? []))}`,
  ];
  return `${[
    `# A draft for ${basename(file.name)}, guessed from its header and ${rows} rows. Check every line. DECIDE marks a`,
    '# question that only you can answer. Where the line is right, delete the comment and keep the line; otherwise write the',
    '# right column in quotes. docs/source-profile-keys.md has every key.',
    '# Try it: tieout profile test FILE --profile THIS.yaml',
    'schema: 1',
    `id: own.${/^[a-z]/.test(id) ? id : `x${id}`}`,
    'version: 1',
    `title: ${yamlText(name)}`,
    'capability: sales',
    `source: ${yamlText(`Drafted from ${basename(file.name)}, header on line ${header.line}.`)}`,
    '',
    `columns: ${listed(named)}`,
    ...unusedLines(found, keys),
    '',
    ...keys,
  ].join('\n')}\n`;
};

const fileLines = (footers: readonly string[]): readonly string[] => {
  const question = 'DECIDE: are rows that begin like this totals or notes, and not sales?';
  return footers.length === 0 ? [] : ['', 'file:', `  footer: ${listed(footers)} # ${question}`];
};

/** The columns that the draft does not use, with what those of amounts come to. */
const unusedLines = ({ columns, orders }: Found, keys: readonly string[]): readonly string[] => {
  const unused = columns.filter(
    ({ name }) => name !== '' && !keys.some((line) => line.includes(yamlText(name))),
  );
  const amounts = amountColumns(unused);
  const named = unused.map((column) =>
    amounts.includes(column) ? `${column.name} (${sumIn(column, orders)})` : column.name,
  );
  return named.length === 0 ? [] : [`# Not used: ${named.join(', ')}.`];
};

const localeLines = ({ guess: { date, currency } }: Found): readonly string[] => {
  const [form, ...others] = dateFormsOf(filledOf(date?.cells ?? []));
  // Day and month cannot be told apart where no day is above 12.
  const exchanged = others.find((other) => other === form?.replace(/^M([/-])d/, 'd$1M') && other !== form);
  const isZoned = /ZZZ|zzz/.test(form ?? '');
  const zone = /ZZZ/.test(form ?? '') ? 'cell-offset' : isZoned ? 'cell-abbreviation' : 'channel';
  const which = exchanged === undefined ? '' : ` # DECIDE: or is it ${exchanged}? The dates fit both.`;
  return [
    'locale:',
    '  date:',
    date
      ? `    columns: ${listed([date.name])}`
      : `    columns: ${listed([TO_DECIDE])} # DECIDE: which column is the date of the sale?`,
    `    forms: [${yamlText(form ?? 'yyyy-MM-dd')}]${which}`,
    `    zone: ${zone}${isZoned ? '' : ' # DECIDE: in which zone are these times? `channel`: that of tieout.yaml.'}`,
    currency
      ? `  currency: ${yamlText(currency.name)}`
      : '  currency: { constant: USD } # DECIDE: are all amounts in US dollars? No column says so.',
  ];
};

/** The rows of each order: several, where rows of one number next to each other have different items. */
const ordersIn = ({ id, description, sku, quantity }: Guess, columns: readonly SampleColumn[]): Orders => {
  const orders = ordersOf((id ?? columns[0])?.cells ?? []);
  const areLines = [description, sku, quantity].some((column) => column && isOfLines(column, orders));
  return areLines
    ? { kind: 'line-repeat', orders }
    : { kind: 'order-per-row', orders: orders.flat().map((at) => [at]) };
};

const shapeLines = ({ guess, price: { total }, kind, orders, columns }: Found): readonly string[] => {
  const ofOrder = [guess.date, guess.tax, total].flatMap((column) =>
    column && !isOfLines(column, orders) ? column.name : [],
  );
  const other = kind === 'order-per-row' ? 'line-repeat' : 'order-per-row';
  return [
    `# DECIDE: is it ${kind} (${SHAPES[kind]}),`,
    `# or ${other} (${SHAPES[other]})? The wrong kind counts money twice or drops it.`,
    'shape:',
    `  kind: ${kind}`,
    guess.id
      ? `  key: ${listed([guess.id.name])}`
      : `  key: ${listed([nameOfFirst(columns)])} # DECIDE: which column is the number of the order?`,
    ...(kind === 'order-per-row' ? [] : [`  orderColumns: ${listed(ofOrder)}`]),
  ];
};

const nameOfFirst = (columns: readonly SampleColumn[]): string =>
  columns.find(({ name }) => name !== '')?.name ?? '';

/** The rules that tell sales from refunds and from what is neither: one question for each kind of row. */
const ruleLines = ({
  guess: { id, status, tax },
  price: { total, goods },
  columns,
}: Found): readonly string[] => {
  const key = id?.name ?? nameOfFirst(columns);
  if (status)
    return [
      '# DECIDE: which of these rows are sales, which are refunds, which are neither? Until you decide, all need a review.',
      '# Sales: replace `treat: review` and the rest of the line with `treat: order }`. Refunds: with `treat: refund }`.',
      '# Neither: write `ignore` in place of `review`, and your own reason and message.',
      'rules:',
      ...[...new Set(filledOf(status.cells))]
        .sort()
        .map(
          (value) =>
            `  - { when: [{ column: ${yamlText(status.name)}, in: ${listed([value])} }], treat: review, reason: undecided, message: "the profile does not say yet what this is" }`,
        ),
    ];
  const amount = total ?? goods?.column ?? tax;
  const flags = columns
    .filter((column) => isFlag(column) && column.cells.some(saysYes))
    .map(({ name }) => name);
  const isNegative = (cell: string): boolean => (amountOf(cell) ?? 0) < 0;
  const negative = amount?.cells.filter(isNegative).length ?? 0;
  return [
    '# DECIDE: is every row a sale, or was it unpaid, cancelled, given back or a test?',
    ...(flags.length > 0 ? [`# These columns may say so: ${flags.map(yamlText).join(', ')}.`] : []),
    'rules:',
    ...(amount && negative > 0
      ? [
          `  # DECIDE: are rows below zero refunds? There are ${negative}.`,
          `  - { when: [{ amount: { orZero: ${yamlText(amount.name)} }, sign: negative }], treat: refund }`,
        ]
      : []),
    `  - { when: [{ column: ${yamlText(key)}, is: filled }], treat: order }`,
  ];
};

/** The lines of a draft that map columns to the parts of a sale. */
export const mapLines = (found: Found): readonly string[] => {
  const { guess, price: prices, orders } = found;
  const { total, isProven } = prices;
  const text = (meaning: Meaning, what: string): string =>
    guess[meaning]
      ? yamlText(guess[meaning].name)
      : `{ constant: "" } # DECIDE: no column looks like the ${what}.`;
  const cell = (column: SampleColumn): string =>
    isOfLines(column, orders)
      ? `{ sumRows: { orZero: ${yamlText(column.name)} } }`
      : `{ orZero: ${yamlText(column.name)} }`;
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
      ? `    country: ${yamlText(guess.country.name)}`
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
      ? `  total: ${isOfLines(total, orders) ? `{ sumRows: ${yamlText(total.name)} }` : yamlText(total.name)}`
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
    `  goods: { subtract: [${yamlText(total.name)}, { orZero: { sum: ${listed(rest)} } }] } # DECIDE: does the total include the tax?`,
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
    `    present: ${yamlText(present.name)}`,
    quantity.cells.includes('')
      ? `    quantity: { first: [${yamlText(quantity.name)}, { constant: "1" }] }`
      : `    quantity: ${yamlText(quantity.name)}`,
    `    description: ${yamlText(present.name)}`,
    `    sku: ${sku ? yamlText(sku.name) : '{ constant: "" }'}`,
    price.of === 'all'
      ? `    net: ${yamlText(price.column.name)}`
      : `    unitPrice: ${yamlText(price.column.name)}${isKnown ? '' : ' # DECIDE: is this the price of one unit, or of all of them (`net`)?'}`,
  ];
};

/** How rows may form orders. */
export const SHAPES = {
  'order-per-row': 'each row is an order',
  'line-repeat':
    'each row is a line of an order, and the cells of the order are on each of its rows, or on the first',
} as const;

/** The rows of each order. */
export type Orders = { readonly kind: keyof typeof SHAPES; readonly orders: readonly OrderRows[] };

/** What was found in a sample. */
export type Found = Orders & {
  readonly guess: Guess;
  readonly price: PriceColumns;
  readonly columns: readonly SampleColumn[];
};

/** What a column comes to in all orders. */
export const sumIn = (column: SampleColumn, orders: readonly OrderRows[]): string =>
  formatMoney(moneyOfPrice(price(sumOf(amountsIn(column, orders)))));

export const yamlText = (text: string): string => JSON.stringify(text);
export const listed = (texts: readonly string[]): string => `[${texts.map(yamlText).join(', ')}]`;

/** The command that drafts a profile for an export, next to the file, where `init` then finds it. */
export const draftCommand = (file: string): string =>
  `tieout profile init ${quoted(file)} --output ${quoted(`${file.replace(/(\.\w+)?(\.gz)?$/, '')}.yaml`)}`;
