import { basename } from 'node:path';
import { quoted } from '../kernel/text.ts';
import { ExportError } from './file-source.ts';
import type { SurveyedFile } from './survey-file.ts';
import { tableHeads } from './table-heads.ts';
import { calledColumns, normalColumn, type TableRow } from './table-row.ts';

/**
 * Draft a source profile as YAML: the columns that their names tell, and `DECIDE` where only a person can know.
 * The draft can be tried at once with `tieout profile test FILE --profile DRAFT`.
 *
 * @throws {ExportError} when no row looks like a header
 */
export const draftProfile = async (file: SurveyedFile): Promise<string> => {
  const heads = await tableHeads(file);
  const [header] = heads
    .flatMap(({ rows }) => rows.filter(isHeader))
    .sort((one, other) => other.cells.length - one.cells.length);
  if (!header)
    throw new ExportError(
      'E_EXPORT_UNKNOWN',
      file.place,
      'none of its first lines looks like a header',
      'Export it again with a header of column names.',
    );
  const columns = calledColumns(header.cells).filter((column) => column !== '');
  const guess = guessColumns(columns);
  const { id, date, state, zip, tax, goods, total, shipping } = guess;
  const name = basename(file.name).replace(/\.\w+(\.gz)?$/, '');
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const key = yamlText(id ?? columns[0] ?? '');
  const named = (list: readonly (string | undefined)[]): string => listed(list.flatMap((one) => one ?? []));
  const text = (column: string | undefined, otherwise = '{ constant: "" }'): string =>
    `${column === undefined ? otherwise : yamlText(column)}${asked(column)}`;
  const plain = (column: string | undefined): string =>
    column === undefined ? '{ constant: "0.00" }' : `{ orZero: ${yamlText(column)} }`;
  const amount = (column: string | undefined): string => `${plain(column)}${asked(column)}`;
  return `# A draft for ${basename(file.name)}, by the names in its header. Check every line. DECIDE marks a question that only you
# can answer. Where the line is right, delete the comment and keep the line; otherwise write the right column in quotes.
# docs/source-profile-keys.md has every key. Try it: tieout profile test FILE --profile THIS.yaml
schema: 1
id: own.${slug || 'export'}
version: 1
title: ${yamlText(name)}
capability: sales
source: ${yamlText(`Drafted from ${basename(file.name)}, header on line ${header.line}.`)}
columns: ${listed(columns)}
detect: { required: ${named([id ?? columns[0], date, tax, state, zip])} }
file: { footer: ["^(grand )?totals?\\\\b"] } # DECIDE: are rows that begin like this totals?
locale:
  date:
    columns: [${date === undefined ? '{ constant: "" }' : yamlText(date)}]${asked(date)}
    forms: ${listed(FORMS)} # DECIDE: keep the one that the file has.
    provenByFile: true
    zone: channel # DECIDE: are these times of the zone in tieout.yaml?
  currency: { constant: USD } # DECIDE: are all amounts in US dollars? Otherwise name the column that says it.
# DECIDE: is each row an order (order-per-row), or a line of one (line-repeat)? The wrong kind counts money twice or drops it.
shape: { kind: order-per-row, key: [${key}] }${asked(id)}
# DECIDE: which rows are sales, which are refunds, which are neither (unpaid, cancelled, tests)? Until you decide, all need a
# review. For sales write \`treat: order\` in place of all behind it, for refunds \`treat: refund\`; a rule for each kind of row.
rules:
  - { when: [{ column: ${key}, is: filled }], treat: review, reason: undecided, message: "the profile does not say yet what this is; edit its rules" }
map:
  # DECIDE: without a ZIP code every sale needs a review. Sold in person: \`inPerson\`, or \`location\` with the column of the
  # shop. A state alone, taken as a whole: \`stateIsEnough: true\`.
  shipTo:
    country: ${text(guess.country, '{ constant: US }')}
    state: ${text(state)}
    zip: ${text(zip)}
    city: ${text(guess.city)}
    street: ${text(guess.street)}
  # DECIDE: is each of these the amount that its key names? Of an order with several rows: of each row (\`sumRows\`), or of all?
  goods: ${
    goods === undefined && total !== undefined
      ? `{ subtract: [${plain(total)}, { sum: [${plain(shipping)}, ${plain(tax)}] }] } # DECIDE: does the total include the tax and the shipping?`
      : amount(goods)
  }
  shipping: ${amount(shipping)}
  salesTax: ${amount(tax)}
  # Where a column says so: line (item, quantity and price), total, refunded, refundId and reference (rows that give back an
  # order), customer, location, inPerson, fees, exemption, marketplace and marketplaceTax (who collects the tax).
controls: ${named([goods, shipping, tax, total])}
`;
};

/** Whether a row may be a header: it has several cells, nearly all of them filled with words, and no date. */
const isHeader = ({ cells }: TableRow): boolean => {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const words = new Set(filled.filter((cell) => /\p{L}/u.test(cell) && !/^[\d$(-]/.test(cell)));
  return filled.length >= 3 && words.size >= filled.length * 0.8;
};

/** The question behind a line for which no column was found. */
const asked = (column: string | undefined): string =>
  column === undefined
    ? ' # DECIDE: which column is it? None looks like it. If there is none, keep the line.'
    : '';

const yamlText = (text: string): string => JSON.stringify(text);
const listed = (texts: readonly string[]): string => `[${texts.map(yamlText).join(', ')}]`;

/** The command that drafts a profile for an export, next to the file, where `init` then finds it. */
export const draftCommand = (file: string): string =>
  `tieout profile init ${quoted(file)} --output ${quoted(`${file.replace(/(\.\w+)?(\.gz)?$/, '')}.yaml`)}`;

/** The words that exports use for a part of a sale; columns with words of the second kind are never meant. */
const SOUGHT = {
  id: [
    /^(?:order|invoice|receipt|sale|transaction)$|\b(?:order|invoice|receipt|sale|transaction)\w* ?(?:#|(?:id|no|num|number)\b)|^(?:id|number|name)$/,
    /\b(?:orig\w*|parent|refund\w*)\b/,
  ],
  date: [/\b(?:date|time|sold)\b/],
  state: [/\b(?:state|province|region)\b/, /\b(?:tax|bill\w*)\b/],
  zip: [/\b(?:zip|zipcode|postal|postcode)\b/, /\b(?:tax|bill\w*)\b/],
  country: [/\bcountry\b/, /\b(?:tax|bill\w*)\b/],
  city: [/\b(?:city|town)\b/, /\b(?:tax|bill\w*)\b/],
  street: [/\b(?:street|address)\b/, /\b(?:tax|bill\w*|e-?mail|ip)\b/],
  tax: [/\btax(?:es)?\b/, /\b(?:rate|id|type|incl\w*|excl\w*|before|after|exempt|refund\w*|ship\w*)\b|[%?]/],
  shipping: [/\b(?:shipping|freight|delivery)\b/, /\b(?:tax|disc\w*|refund\w*|address|city|state|zip)\b/],
  goods: [/\bsub ?-?total\b/],
  total: [/\btotal\b|^(?:gross|amount)$/, /\b(?:sub|before|refund\w*|net)\b/],
} as const;

type Guess = Partial<Record<keyof typeof SOUGHT, string>>;

/** Guess the column of each meaning: of those whose name can have it, the one with the shortest name. */
const guessColumns = (columns: readonly string[]): Guess => {
  const guess: Guess = {};
  const free = new Set(columns);
  for (const [meaning, [words, never]] of Object.entries<readonly RegExp[]>(SOUGHT)) {
    const [best] = [...free]
      .filter((column) => words?.test(wordsOf(column)) && never?.test(wordsOf(column)) !== true)
      .sort((one, other) => wordsOf(one).length - wordsOf(other).length);
    if (best === undefined) continue;
    guess[meaning as keyof Guess] = best;
    free.delete(best);
  }
  return guess;
};

/** The words of a name, without a unit such as `($)` behind it. */
const wordsOf = (column: string): string =>
  normalColumn(column.replaceAll('_', ' ')).replace(/\s*\((?:\W*|usd)\)$/, '');

/** The forms in which exports write dates, the most precise first. */
const FORMS = [
  'yyyy-MM-dd HH:mm:ss ZZZ',
  'yyyy-MM-ddTHH:mm:ssZZZ',
  'yyyy-MM-dd( HH:mm(:ss))',
  'MMM d, yyyy( h:mm(:ss) a)',
  'M/d/yyyy( H:mm(:ss))',
  'M/d/yyyy( h:mm(:ss) a)',
  'd/M/yyyy( H:mm(:ss))',
  'd.M.yyyy( H:mm)',
];
