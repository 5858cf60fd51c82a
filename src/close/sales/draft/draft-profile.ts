import { basename } from 'node:path';
import { normalColumn } from '../files/normal-column.ts';
import type { SurveyedFile } from '../files/survey-file.ts';
import { TO_DECIDE } from '../unknown-columns.ts';
import { dateFormsOf } from './date-forms.ts';
import { type Found, listed, type Orders, quoted, SHAPES, sumIn } from './found.ts';
import { filledOf, type Guess, guessColumns, isFlag, type SampleColumn, saysYes } from './guess-columns.ts';
import { mapLines } from './map-lines.ts';
import { amountColumns, findPrice } from './prove-price.ts';
import { amountOf, isOfLines, ordersOf } from './sample-amounts.ts';
import { type Sample, sampleOf } from './sample-of.ts';

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
    `title: ${quoted(name)}`,
    'capability: sales',
    `source: ${quoted(`Drafted from ${basename(file.name)}, header on line ${header.line}.`)}`,
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

/** The columns that the draft does not use: amounts with what they come to, columns of yes and no, and the others. */
const unusedLines = ({ columns, orders }: Found, keys: readonly string[]): readonly string[] => {
  const unused = columns.filter(
    ({ name }) => name !== '' && !keys.some((line) => line.includes(quoted(name))),
  );
  const flags = unused.filter(isFlag);
  const amounts = amountColumns(unused);
  const others = unused.filter((column) => !flags.includes(column) && !amounts.includes(column));
  const lines = (what: string, some: readonly string[]): readonly string[] =>
    some.length === 0 ? [] : [`# ${what}: ${some.join(', ')}.`];
  return [
    ...lines(
      'Not used, with amounts',
      amounts.map((column) => `${column.name} (${sumIn(column, orders)})`),
    ),
    ...lines(
      'Not used, yes or no',
      flags.map(({ name }) => name),
    ),
    ...lines(
      'Not used',
      others.map(({ name }) => name),
    ),
  ];
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
    `    forms: [${quoted(form ?? 'yyyy-MM-dd')}]${which}`,
    `    zone: ${zone}${isZoned ? '' : ' # DECIDE: in which zone are these times? `channel`: that of tieout.yaml.'}`,
    currency
      ? `  currency: ${quoted(currency.name)}`
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
            `  - { when: [{ column: ${quoted(status.name)}, in: ${listed([value])} }], treat: review, reason: undecided, message: "the profile does not say yet what this is" }`,
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
    ...(flags.length > 0 ? [`# These columns may say so: ${flags.map(quoted).join(', ')}.`] : []),
    'rules:',
    ...(amount && negative > 0
      ? [
          `  # DECIDE: are rows below zero refunds? There are ${negative}.`,
          `  - { when: [{ amount: { orZero: ${quoted(amount.name)} }, sign: negative }], treat: refund }`,
        ]
      : []),
    `  - { when: [{ column: ${quoted(key)}, is: filled }], treat: order }`,
  ];
};
