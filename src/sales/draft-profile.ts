import { basename } from 'node:path';
import { formatMoney, moneyOfPrice, price } from '../kernel/money.ts';
import { quoted } from '../kernel/text.ts';
import {
  amountsIn,
  dateFormsOf,
  filledOf,
  findPrice,
  type Guess,
  guessColumns,
  isOfLines,
  type Orders,
  ordersOf,
  type PriceColumns,
} from './guess-columns.ts';
import { exchangedForm } from './read-date.ts';
import { type Sample, type SampleColumn, sampleOf, TOTALS } from './sample.ts';
import type { SurveyedFile } from './survey-file.ts';
import { tableHeads } from './table-heads.ts';
import { normalColumn } from './table-row.ts';

/**
 * Draft a source profile as YAML: columns by the words of the header and by what their cells hold, and `DECIDE` where
 * only a person can know. The draft can be tried at once with `tieout profile test FILE --profile DRAFT`.
 *
 * @throws {ExportError} when no row looks like a header
 */
export const draftProfile = async (file: SurveyedFile): Promise<string> => {
  const sample = await sampleOf(file, await tableHeads(file));
  const { header, columns, rows, hasTotals } = sample;
  const found = foundIn(sample);
  const { guess, price: prices } = found;
  const name = basename(file.name).replace(/\.\w+(\.gz)?$/, '');
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const ownNames = new Set(header.cells.map(normalColumn));
  const named = namesOf(columns.filter((column) => ownNames.has(normalColumn(column.name))));
  const required = namesOf([guess.id, guess.date, guess.tax, guess.state, guess.zip]);
  const keys = [
    'detect:',
    '  # Columns without which a file is not of this kind.',
    `  required: ${listed(required.length > 0 ? required : named.slice(0, 1))}`,
    ...(hasTotals
      ? ['file:', `  footer: ${listed([TOTALS])} # DECIDE: are rows that begin like this no sales?`]
      : []),
    ...localeLines(guess),
    ...shapeLines(found),
    ...ruleLines(found),
    ...mapLines(found),
    `controls: ${listed([...new Set(namesOf([prices.goods?.column, guess.shipping, guess.tax, prices.total]))])}`,
  ];
  const unused = namesOf(columns).filter((one) => !keys.some((line) => line.includes(yamlText(one))));
  const lines = [
    `# A draft for ${basename(file.name)}, guessed from its header and ${rows} rows. Check every line. DECIDE marks a`,
    '# question that only you can answer. Where the line is right, delete the comment and keep the line; otherwise write the',
    '# right column in quotes. docs/source-profile-keys.md has every key.',
    '# Try it: tieout profile test FILE --profile THIS.yaml',
    'schema: 1',
    `id: own.${slug === '' ? 'export' : slug}`,
    'version: 1',
    `title: ${yamlText(name)}`,
    'capability: sales',
    `source: ${yamlText(`Drafted from ${basename(file.name)}, header on line ${header.line}.`)}`,
    `columns: ${listed(named)}`,
    ...(unused.length > 0 ? [`# Not used: ${unused.join(', ')}.`] : []),
    ...keys,
  ];
  return `${lines.join('\n')}\n`;
};

/** What was found in a sample. */
type Found = {
  readonly guess: Guess;
  readonly price: PriceColumns;
  /** The column that names an order. */
  readonly key: string;
  readonly orders: Orders;
  /** Whether a row is a line of an order, and not an order. */
  readonly areLines: boolean;
};

const foundIn = ({ columns }: Sample): Found => {
  const guess = guessColumns(columns);
  const named = columns.filter(({ name }) => name !== '');
  const key = guess.id ?? (named[0] as SampleColumn);
  const orders = ordersOf(key);
  // Rows of one number next to each other with different items are lines.
  const items = [guess.description, guess.sku, guess.quantity];
  const areLines = items.some((column) => column && isOfLines(column, orders));
  const own = areLines ? orders : orders.flat().map((at) => [at]);
  return { guess, key: key.name, orders: own, areLines, price: findPrice(guess, named, own) };
};

const localeLines = ({ date, currency }: Guess): readonly string[] => {
  const [form = 'yyyy-MM-dd', ...others] = dateFormsOf(date ? filledOf(date) : []);
  // Day and month cannot be told apart where no day is above 12.
  const other = others.find((one) => one === exchangedForm(form));
  const zone = /ZZZ/.test(form) ? 'cell-offset' : /zzz/.test(form) ? 'cell-abbreviation' : undefined;
  return [
    'locale:',
    '  date:',
    date
      ? `    columns: ${listed([date.name])}`
      : '    columns: [{ constant: "" }] # DECIDE: which column is the date of the sale?',
    `    forms: ${listed([form])}${other === undefined ? '' : ` # DECIDE: or is it ${other}? The dates fit both.`}`,
    `    zone: ${zone ?? 'channel # DECIDE: in which zone are these times? `channel`: that of tieout.yaml.'}`,
    currency
      ? `  currency: ${yamlText(currency.name)}`
      : '  currency: { constant: USD } # DECIDE: are all amounts in US dollars? No column says so.',
  ];
};

const shapeLines = ({ guess, price, key, orders, areLines }: Found): readonly string[] => {
  const ofOrder = [guess.date, guess.tax, price.total].filter(
    (column) => column && !isOfLines(column, orders),
  );
  return [
    '# DECIDE: is each row an order (order-per-row), or a line of one (line-repeat)? The wrong kind counts money twice or drops it.',
    'shape:',
    `  kind: ${areLines ? 'line-repeat' : 'order-per-row'}`,
    `  key: ${listed([key])}${guess.id ? '' : ' # DECIDE: which column is the number of the order?'}`,
    ...(areLines ? [`  orderColumns: ${listed(namesOf(ofOrder))}`] : []),
  ];
};

/** The rules that tell sales from refunds and from what is neither: one question for each kind of row. */
const ruleLines = ({
  guess: { status, tax },
  price: { total, goods },
  key,
  orders,
}: Found): readonly string[] => {
  if (status)
    return [
      '# DECIDE: which of these rows are sales, which are refunds, which are neither? Until you decide, all need a review.',
      '# Sales: replace `treat: review` and the rest of the line with `treat: order }`. Refunds: with `treat: refund }`.',
      '# Neither: write `ignore` in place of `review`, and your own reason and message.',
      'rules:',
      ...[...new Set(filledOf(status))]
        .sort()
        .map(
          (value) =>
            `  - { when: [{ column: ${yamlText(status.name)}, in: ${listed([value])} }], treat: review, reason: undecided, message: "the profile does not say yet what this is; edit its rule for these rows" }`,
        ),
    ];
  const amount = total ?? goods?.column ?? tax;
  const isBelow = amount && amountsIn(amount, orders).some((one) => one < 0);
  return [
    '# DECIDE: is every row a sale, or was it unpaid, cancelled, given back or a test?',
    'rules:',
    ...(isBelow
      ? [
          `  - { when: [{ amount: { orZero: ${yamlText(amount.name)} }, sign: negative }], treat: refund } # DECIDE: are rows below zero refunds?`,
        ]
      : []),
    `  - { when: [{ column: ${yamlText(key)}, is: filled }], treat: order }`,
  ];
};

/** The lines of a draft that map columns to the parts of a sale. */
const mapLines = (found: Found): readonly string[] => {
  const { guess, orders } = found;
  const { goods, total, isProven } = found.price;
  const text = (meaning: 'country' | 'state' | 'zip' | 'city' | 'street'): string => {
    const constant = meaning === 'country' ? 'US' : '""';
    const column = guess[meaning];
    return `    ${meaning}: ${column ? yamlText(column.name) : `{ constant: ${constant} } # DECIDE: no column looks like the ${meaning}.`}`;
  };
  const cell = (column: SampleColumn): string => {
    const amount = `{ orZero: ${yamlText(column.name)} }`;
    return isOfLines(column, orders) ? `{ sumRows: ${amount} }` : amount;
  };
  const amount = (column: SampleColumn | undefined, what: string): string => {
    if (!column)
      return `{ constant: "0.00" } # DECIDE: which column is the ${what}? None looks like it. If there is none, keep the line.`;
    const sum = amountsIn(column, orders).reduce((running, one) => running + one, 0);
    return `${cell(column)} # ${isProven ? '' : `DECIDE: is this the ${what}? `}In the sample it comes to ${formatMoney(moneyOfPrice(price(sum)))}.`;
  };
  const beside = namesOf([guess.shipping, guess.tax]);
  const ofGoods = 'price of all goods, after discounts';
  return [
    'map:',
    '  shipTo:',
    ...(['country', 'state', 'zip', 'city', 'street'] as const).map(text),
    ...(guess.zip
      ? []
      : [
          '  # DECIDE: without a ZIP code every sale needs a review. Sold in person: `inPerson`, or `location` with the column of the shop.',
          '  # A state alone, taken as a whole: `stateIsEnough: true`.',
        ]),
    ...(isProven ? ['  # Goods, shipping and tax come to the total in every order of the sample.'] : []),
    ...(goods?.of === 'unit'
      ? []
      : goods || beside.length === 0 || !total
        ? [`  goods: ${amount(goods?.column ?? total, ofGoods)}`]
        : [
            `  goods: { subtract: [${yamlText(total.name)}, { orZero: { sum: ${listed(beside)} } }] } # DECIDE: does the total include the tax?`,
          ]),
    `  shipping: ${amount(guess.shipping, 'shipping')}`,
    `  salesTax: ${amount(guess.tax, 'sales tax that was charged')}`,
    ...(total ? [`  total: ${isOfLines(total, orders) ? cell(total) : yamlText(total.name)}`] : []),
    ...(guess.refunded ? [`  refunded: ${amount(guess.refunded, 'amount that was given back')}`] : []),
    ...lineLines(found),
    '  # Where a column says so: refundId and reference (rows that give back an order), customer, location, inPerson, fees, exemption,',
    '  # marketplace and marketplaceTax (who collects the tax). docs/source-profile-keys.md has each.',
  ];
};

const lineLines = ({ guess, price: { goods, isProven }, areLines, orders }: Found): readonly string[] => {
  const { quantity, description, sku, id } = guess;
  const present = description ?? sku ?? id;
  const isOfRow = goods?.of === 'unit' || !areLines || (goods && isOfLines(goods.column, orders));
  const found = isOfRow ? goods : guess.price && { column: guess.price, of: 'unit' as const };
  if (!quantity || !present || !found)
    return ['  # DECIDE: which columns are quantity and price? None were found, so orders have no lines.'];
  const column = yamlText(found.column.name);
  return [
    '  line:',
    `    present: ${yamlText(present.name)}`,
    `    quantity: { first: [${yamlText(quantity.name)}, { constant: "1" }] }`,
    `    description: ${yamlText(present.name)}`,
    `    sku: ${sku ? yamlText(sku.name) : '{ constant: "" }'}`,
    found.of === 'all'
      ? `    net: ${column}`
      : `    unitPrice: ${column}${isProven ? '' : ' # DECIDE: is this the price of one unit, or of all of them (`net`)?'}`,
  ];
};

const namesOf = (columns: readonly (SampleColumn | undefined)[]): readonly string[] =>
  columns.flatMap((column) => column?.name || []);

const yamlText = (text: string): string => JSON.stringify(text);
const listed = (texts: readonly string[]): string => `[${texts.map(yamlText).join(', ')}]`;

/** The command that drafts a profile for an export, next to the file, where `init` then finds it. */
export const draftCommand = (file: string): string =>
  `tieout profile init ${quoted(file)} --output ${quoted(`${file.replace(/(\.\w+)?(\.gz)?$/, '')}.yaml`)}`;
