import { basename } from 'node:path';
import { quoted } from '../kernel/text.ts';
import {
  dateFormsOf,
  filledOf,
  type Guess,
  guessColumns,
  type SampleColumn,
  sampleOf,
} from './guess-columns.ts';
import { exchangedForm } from './read-date.ts';
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
  const { header, columns } = await sampleOf(file, await tableHeads(file));
  const guess = guessColumns(columns);
  const name = basename(file.name).replace(/\.\w+(\.gz)?$/, '');
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const ownNames = new Set(header.cells.map(normalColumn));
  const named = namesOf(columns.filter((column) => ownNames.has(normalColumn(column.name))));
  const key = guess.id?.name ?? named[0] ?? '';
  const required = namesOf([guess.id, guess.date, guess.tax, guess.state, guess.zip]);
  const keys = [
    'detect:',
    '  # Columns without which a file is not of this kind.',
    `  required: ${listed(required.length > 0 ? required : named.slice(0, 1))}`,
    'file:',
    '  footer: ["^(grand )?totals?\\\\b"] # DECIDE: are rows that begin like this totals?',
    ...localeLines(guess),
    ...shapeLines(guess, key),
    ...ruleLines(guess, key),
    ...mapLines(guess),
    `controls: ${listed(namesOf([guess.goods, guess.shipping, guess.tax, guess.total]))}`,
  ];
  const unused = namesOf(columns).filter((one) => !keys.some((line) => line.includes(yamlText(one))));
  const lines = [
    `# A draft for ${basename(file.name)}, guessed from its header and first rows. Check every line. DECIDE marks a`,
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

const localeLines = ({ date }: Guess): readonly string[] => {
  const [form = 'yyyy-MM-dd', ...others] = dateFormsOf(date ? filledOf(date) : []);
  // Day and month cannot be told apart where no day is above 12.
  const other = others.find((one) => one === exchangedForm(form));
  return [
    'locale:',
    '  date:',
    date
      ? `    columns: ${listed([date.name])}`
      : '    columns: [{ constant: "" }] # DECIDE: which column is the date of the sale?',
    `    forms: ${listed([form])}${other === undefined ? '' : ` # DECIDE: or is it ${other}? The dates fit both.`}`,
    `    zone: ${/ZZZ/.test(form) ? 'cell-offset' : 'channel # DECIDE: in which zone are these times? `channel`: that of tieout.yaml.'}`,
    '  currency: { constant: USD } # DECIDE: are all amounts in US dollars? Otherwise name the column that says it.',
  ];
};

/** Whether rows next to each other have one number, so that a row is a line of an order, and not an order. */
const areLines = ({ id, description, sku, quantity }: Guess): boolean =>
  (description ?? sku ?? quantity) !== undefined &&
  id !== undefined &&
  id.cells.some((cell, at) => at > 0 && cell !== '' && cell === id.cells[at - 1]);

const shapeLines = (guess: Guess, key: string): readonly string[] => [
  '# DECIDE: is each row an order (order-per-row), or a line of one (line-repeat)? The wrong kind counts money twice or drops it.',
  'shape:',
  `  kind: ${areLines(guess) ? 'line-repeat' : 'order-per-row'}`,
  `  key: ${listed([key])}${guess.id ? '' : ' # DECIDE: which column is the number of the order?'}`,
];

/** The rules that tell sales from refunds and from what is neither: one question for each kind of row. */
const ruleLines = ({ status }: Guess, key: string): readonly string[] =>
  status
    ? [
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
      ]
    : [
        '# DECIDE: is every row a sale, or was it unpaid, cancelled, given back or a test?',
        'rules:',
        `  - { when: [{ column: ${yamlText(key)}, is: filled }], treat: order }`,
      ];

/** The lines of a draft that map columns to the parts of a sale. */
const mapLines = (guess: Guess): readonly string[] => {
  const text = (meaning: 'country' | 'state' | 'zip' | 'city' | 'street'): string => {
    const constant = meaning === 'country' ? 'US' : '""';
    const column = guess[meaning];
    return `    ${meaning}: ${column ? yamlText(column.name) : `{ constant: ${constant} } # DECIDE: no column looks like the ${meaning}.`}`;
  };
  const cell = ({ name }: SampleColumn): string => {
    const amount = `{ orZero: ${yamlText(name)} }`;
    return areLines(guess) ? `{ sumRows: ${amount} }` : amount;
  };
  const amount = (column: SampleColumn | undefined, what: string): string =>
    column
      ? `${cell(column)} # DECIDE: is this the ${what}? Of an order with several rows: of each row, or of all (without \`sumRows\`)?`
      : `{ constant: "0.00" } # DECIDE: which column is the ${what}? None looks like it. If there is none, keep the line.`;
  const { goods, total, shipping, tax, refunded } = guess;
  const beside = [shipping, tax].flatMap((column) => (column ? cell(column) : []));
  const lines = lineLines(guess);
  const goodsLines =
    !goods && lines.length > 1
      ? ['  # The goods are what the lines come to.']
      : goods || !total || beside.length === 0
        ? [`  goods: ${amount(goods ?? total, 'price of all goods, after discounts')}`]
        : [
            `  goods: { subtract: [${cell(total)}, { sum: [${beside.join(', ')}] }] } # DECIDE: does the total include the tax and the shipping?`,
          ];
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
    ...goodsLines,
    `  shipping: ${amount(shipping, 'shipping')}`,
    `  salesTax: ${amount(tax, 'sales tax that was charged')}`,
    ...(refunded ? [`  refunded: ${amount(refunded, 'amount that was given back')}`] : []),
    ...lines,
    '  # Where a column says so: total, refundId and reference (rows that give back an order), customer, location, inPerson, fees,',
    '  # exemption, marketplace and marketplaceTax (who collects the tax). docs/source-profile-keys.md has each.',
  ];
};

const lineLines = ({ quantity, description, sku, price }: Guess): readonly string[] => {
  const present = description ?? sku;
  if (!quantity || !present || !price)
    return ['  # DECIDE: which columns are quantity and price? None were found, so orders have no lines.'];
  return [
    '  line:',
    `    present: ${yamlText(present.name)}`,
    `    quantity: { first: [${yamlText(quantity.name)}, { constant: "1" }] }`,
    `    description: ${yamlText(present.name)}`,
    `    sku: ${sku ? yamlText(sku.name) : '{ constant: "" }'}`,
    `    unitPrice: ${yamlText(price.name)} # DECIDE: is this the price of one unit, or of all of them (\`net\`)?`,
  ];
};

const namesOf = (columns: readonly (SampleColumn | undefined)[]): readonly string[] =>
  columns.flatMap((column) => column?.name || []);

const yamlText = (text: string): string => JSON.stringify(text);
const listed = (texts: readonly string[]): string => `[${texts.map(yamlText).join(', ')}]`;

/** The command that drafts a profile for an export, next to the file, where `init` then finds it. */
export const draftCommand = (file: string): string =>
  `tieout profile init ${quoted(file)} --output ${quoted(`${file.replace(/(\.\w+)?(\.gz)?$/, '')}.yaml`)}`;
