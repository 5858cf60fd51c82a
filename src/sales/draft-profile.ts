import { basename } from 'node:path';
import { TieoutError } from '../kernel/errors.ts';
import { quoted } from '../kernel/text.ts';
import { detectProfile } from './detect-profile.ts';
import { ExportError } from './export-error.ts';
import type { FileSource } from './file-source.ts';
import { isSalesProfile, shippedProfiles } from './load-profiles.ts';
import { dateForm, exchangedForm } from './read-date.ts';
import { type SurveyedFile, surveyFile } from './survey-file.ts';
import { tableHeads } from './table-heads.ts';
import { calledColumns, normalColumn, rowByRow, type TableRow } from './table-row.ts';

/**
 * Draft a source profile as YAML: the columns that their names and cells tell, and `DECIDE` where only a person can know.
 * The draft can be tried at once with `tieout profile test FILE --profile DRAFT`.
 *
 * @throws {ExportError} when no row looks like a header
 */
export const draftProfile = async (file: SurveyedFile): Promise<string> => {
  const { header, columns } = await sampleOf(file);
  const guess = guessColumns(columns);
  const { id, date, state, zip, tax, goods, shipping, total } = guess;
  const name = basename(file.name).replace(/\.\w+(\.gz)?$/, '');
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const ownNames = new Set(header.cells.map(normalColumn));
  const named = namesOf(columns.filter((column) => ownNames.has(normalColumn(column.name))));
  const key = id?.name ?? named[0] ?? '';
  const required = namesOf([id, date, tax, state, zip]);
  const keys = [
    `detect: { required: ${listed(required.length > 0 ? required : named.slice(0, 1))} }`,
    'file: { footer: ["^(grand )?totals?\\\\b"] } # DECIDE: are rows that begin like this totals?',
    ...localeLines(date),
    '# DECIDE: is each row an order (order-per-row), or a line of one (line-repeat)? The wrong kind counts money twice or drops it.',
    `shape: { kind: order-per-row, key: ${listed([key])} }${asked(id)}`,
    '# DECIDE: which rows are sales, which are refunds, which are neither (unpaid, cancelled, tests)? Until you decide, all need a',
    '# review. For sales write `treat: order` in place of all behind it, for refunds `treat: refund`; a rule for each kind of row.',
    'rules:',
    `  - { when: [{ column: ${yamlText(key)}, is: filled }], treat: review, reason: undecided, message: "the profile does not say yet what this is; edit its rules" }`,
    ...mapLines(guess),
    `controls: ${listed(namesOf([goods, shipping, tax, total]))}`,
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

/** The question behind a line for which no column was found. */
const asked = (column: SampleColumn | undefined): string =>
  column ? '' : ' # DECIDE: which column is it? None looks like it. If there is none, keep the line.';

const localeLines = (date: SampleColumn | undefined): readonly string[] => {
  const [form = 'yyyy-MM-dd', ...others] = dateFormsOf(date?.cells ?? []);
  // Day and month cannot be told apart where no day is above 12.
  const other = others.find((one) => one === exchangedForm(form));
  const zone = form.includes('ZZZ')
    ? 'cell-offset'
    : 'channel # DECIDE: are these times of the zone in tieout.yaml?';
  return [
    'locale:',
    '  date:',
    `    columns: ${date ? listed([date.name]) : '[{ constant: "" }]'}${asked(date)}`,
    `    forms: ${listed([form])}${other === undefined ? '' : ` # DECIDE: or is it ${other}? The dates fit both.`}`,
    `    zone: ${zone}`,
    '  currency: { constant: USD } # DECIDE: are all amounts in US dollars? Otherwise name the column that says it.',
  ];
};

const ADDRESS = ['country', 'state', 'zip', 'city', 'street'] as const;

/** The lines of a draft that map columns to the parts of a sale. */
const mapLines = (guess: Guess): readonly string[] => {
  const { goods, total, shipping, tax } = guess;
  const cell = ({ name }: SampleColumn): string => `{ orZero: ${yamlText(name)} }`;
  const amount = (column: SampleColumn | undefined): string =>
    `${column ? cell(column) : '{ constant: "0.00" }'}${asked(column)}`;
  const beside = [shipping, tax].flatMap((column) => (column ? cell(column) : []));
  const isWhole = !goods && total && beside.length > 0;
  return [
    'map:',
    '  # DECIDE: without a ZIP code every sale needs a review. Sold in person: `inPerson`, or `location` with the column of the',
    '  # shop. A state alone, taken as a whole: `stateIsEnough: true`.',
    '  shipTo:',
    ...ADDRESS.map((part) => {
      const column = guess[part];
      const blank = `{ constant: ${part === 'country' ? 'US' : '""'} }`;
      return `    ${part}: ${column ? yamlText(column.name) : blank}${asked(column)}`;
    }),
    '  # DECIDE: is each of these the amount that its key names? Of an order with several rows: of each row (`sumRows`), or of all?',
    isWhole
      ? `  goods: { subtract: [${cell(total)}, { sum: [${beside.join(', ')}] }] } # DECIDE: does the total include the tax and the shipping?`
      : `  goods: ${amount(goods ?? total)}`,
    `  shipping: ${amount(shipping)}`,
    `  salesTax: ${amount(tax)}`,
    '  # Where a column says so: line (item, quantity and price), total, refunded, refundId and reference (rows that give back an',
    '  # order), customer, location, inPerson, fees, exemption, marketplace and marketplaceTax (who collects the tax).',
  ];
};

const namesOf = (columns: readonly (SampleColumn | undefined)[]): readonly string[] =>
  columns.flatMap((column) => column?.name || []);

const yamlText = (text: string): string => JSON.stringify(text);
const listed = (texts: readonly string[]): string => `[${texts.map(yamlText).join(', ')}]`;

/** The command that drafts a profile for an export, next to the file, where `init` then finds it. */
export const draftCommand = (file: string): string =>
  `tieout profile init ${quoted(file)} --output ${quoted(`${file.replace(/(\.\w+)?(\.gz)?$/, '')}.yaml`)}`;

/** Maximum number of rows used for guesses. */
const SAMPLE_ROWS = 500;

/** A column of a sample: its name as profiles call it, and its filled cells, trimmed. */
type SampleColumn = { readonly name: string; readonly cells: readonly string[] };

/** The first rows of a table, column by column. */
type Sample = { readonly header: TableRow; readonly columns: readonly SampleColumn[] };

/** @throws {ExportError} when no row looks like a header */
const sampleOf = async (file: SurveyedFile): Promise<Sample> => {
  const heads = await tableHeads(file);
  const [best] = heads
    .flatMap((head) => head.rows.filter(isHeader).map((header) => ({ head, header })))
    .sort((one, other) => other.header.cells.length - one.header.cells.length);
  if (!best)
    throw new ExportError(
      'E_EXPORT_UNKNOWN',
      file.place,
      'none of its first lines looks like a header',
      'Export it again with a header of column names.',
    );
  const { head, header } = best;
  const rows: TableRow[] = [];
  for await (const row of rowByRow(head.from(header))) {
    if (row.line > header.line) rows.push(row);
    if (rows.length === SAMPLE_ROWS) break;
  }
  const columns = calledColumns(header.cells).map((name, at) => ({
    name,
    cells: rows.flatMap(({ cells }) => cells[at]?.trim() || []),
  }));
  return { header, columns };
};

/** Whether a row may be a header: it has several cells, nearly all of them filled with words, and no date. */
const isHeader = ({ cells }: TableRow): boolean => {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const words = new Set(filled.filter((cell) => /\p{L}/u.test(cell) && !/^[\d$(-]/.test(cell)));
  return filled.length >= 3 && words.size >= filled.length * 0.8;
};

const AMOUNT = /^\(?[-−]?\s?(?:US)?\$?\s?-?\d[\d.,]*\)?$/;

/** What the filled cells of a column can be. */
const CELLS = {
  text: () => true,
  amount: (cells: readonly string[]) => cells.every((cell) => AMOUNT.test(cell)),
  date: (cells: readonly string[]) => dateFormsOf(cells).length > 0,
};

/** What a profile needs columns for: the words that exports use, what the cells have to be, and what is never meant. */
const sought = (cells: keyof typeof CELLS, words: RegExp, never = /^$/) => ({ cells, words, never });

const NO_PLACE = /\b(?:tax|bill\w*|e-?mail|ip|status)\b/;

const SOUGHT = {
  id: sought(
    'text',
    /^(?:order|invoice|receipt|sale|transaction|doc)$|\b(?:order|invoice|receipt|sale|transaction|doc)\w* ?(?:#|(?:id|no|num|number)\b)|^(?:id|number|name)$/,
    /\b(?:orig\w*|parent|refund\w*)\b/,
  ),
  date: sought('date', /\b(?:date|time|on|at|sold)\b/),
  state: sought('text', /\b(?:state|province|region|st)\b/, NO_PLACE),
  zip: sought('text', /\b(?:zip|zipcode|postal|postcode|post)\b/, NO_PLACE),
  country: sought('text', /\bcountry\b/, NO_PLACE),
  city: sought('text', /\b(?:city|town)\b/, NO_PLACE),
  street: sought('text', /\b(?:street|address)\b/, NO_PLACE),
  tax: sought(
    'amount',
    /\btax(?:es)?\b/,
    /\b(?:rate|id|incl\w*|excl\w*|before|after|exempt|refund\w*|ship\w*)\b|[%?]/,
  ),
  shipping: sought('amount', /\b(?:shipping|freight|delivery|postage)\b/, /\b(?:tax|disc\w*|refund\w*)\b/),
  goods: sought('amount', /\bsub ?-?total\b|\bbefore tax\b|\bline net\b/),
  total: sought('amount', /\btotal\b|^(?:gross|amount|due)$/, /\b(?:sub|before|refund\w*|net)\b/),
};

type Guess = Partial<Record<keyof typeof SOUGHT, SampleColumn>>;

/** Guess the column of each meaning: of those whose name and cells can have it, the one with the shortest name. */
const guessColumns = (columns: readonly SampleColumn[]): Guess => {
  const guess: Guess = {};
  const free = new Set(columns.filter(({ name }) => name !== ''));
  for (const [meaning, { cells, words, never }] of Object.entries(SOUGHT)) {
    const [best] = [...free]
      .filter((column) => {
        const name = wordsOf(column);
        return words.test(name) && !never.test(name) && CELLS[cells](column.cells);
      })
      .sort((one, other) => wordsOf(one).length - wordsOf(other).length);
    if (!best) continue;
    guess[meaning as keyof Guess] = best;
    free.delete(best);
  }
  return guess;
};

/** The words of a name, without a unit such as `($)` behind it. */
const wordsOf = ({ name }: SampleColumn): string =>
  normalColumn(name.replaceAll('_', ' ')).replace(/\s*\((?:\W*|usd)\)$/, '');

/** The forms in which exports write dates, the most precise first. */
const FORMS = [
  'yyyy-MM-dd HH:mm:ss ZZZ',
  'yyyy-MM-ddTHH:mm:ssZZZ',
  'yyyy-MM-dd( HH:mm(:ss))',
  'yyyy-MM-ddTHH:mm:ss',
  'MMM d, yyyy( h:mm(:ss) a)',
  'M/d/yyyy( H:mm(:ss))',
  'M/d/yyyy( h:mm(:ss) a)',
  'M/d/yy( H:mm)',
  'd/M/yyyy( H:mm(:ss))',
  'd.M.yyyy( H:mm)',
  'yyyy/MM/dd( HH:mm:ss)',
] as const;

/** The forms that fit all of some cells. */
const dateFormsOf = (cells: readonly string[]): readonly string[] =>
  cells.length === 0 ? [] : FORMS.filter((form) => cells.every((cell) => dateForm(form)(cell) !== undefined));

/**
 * Read the first order numbers of a table that looks like sales: a number with an amount, and a tax or the day and place.
 * None if it does not, has no numbers, or is unreadable.
 */
export const saleNumbersIn = async (source: FileSource): Promise<readonly string[]> => {
  try {
    const file = await surveyFile(source);
    const profile = await detectProfile(file, shippedProfiles()).then(
      (found) => found.profile,
      () => undefined,
    );
    if (profile && !isSalesProfile(profile)) return [];
    const { columns } = await sampleOf(file);
    const known = normalColumn(profile?.shape.key[0] ?? '');
    const { id, date, total, tax, goods, state, zip } = guessColumns(columns);
    const isOfOrders = id && /order|invoice|receipt|sale/i.test(id.name);
    const isOfSales = isOfOrders || (date && (tax ?? state ?? zip));
    const guessed = isOfSales && (total ?? tax ?? goods) ? id : undefined;
    const column = profile ? columns.find(({ name }) => normalColumn(name) === known) : guessed;
    return [...new Set(column?.cells)];
  } catch (error) {
    if (error instanceof TieoutError && error.recovery !== 'defect') return [];
    throw error;
  }
};
