import { TieoutError } from '../kernel/errors.ts';
import { usRegionCode } from '../kernel/us-regions.ts';
import { type Detected, detectAmong } from './detect-profile.ts';
import { ExportError } from './export-error.ts';
import type { FileSource } from './file-source.ts';
import { isSalesProfile, shippedProfiles } from './load-profiles.ts';
import { dateForm } from './read-date.ts';
import { type SurveyedFile, surveyFile } from './survey-file.ts';
import { type TableHead, tableHeads } from './table-heads.ts';
import { calledColumns, columnWords, normalColumn, rowByRow, type TableRow } from './table-row.ts';

/** Maximum number of rows used for guesses. */
const SAMPLE_ROWS = 500;

/** A column of a sample: its name as profiles call it, and its trimmed cells row by row. */
export type SampleColumn = { readonly name: string; readonly cells: readonly string[] };

/** The first rows of a table, column by column. */
export type Sample = { readonly header: TableRow; readonly columns: readonly SampleColumn[] };

/** @throws {ExportError} when no row looks like a header */
export const sampleOf = async (file: SurveyedFile, heads: readonly TableHead[]): Promise<Sample> => {
  const [best] = heads
    .flatMap((head) => head.rows.filter(isHeader).map((header) => ({ head, header })))
    .sort((one, other) => other.header.cells.length - one.header.cells.length);
  if (best) return sampleBelow(best.header, best.head.from(best.header));
  throw new ExportError(
    'E_EXPORT_UNKNOWN',
    file.place,
    'none of its first lines looks like a header',
    'Export it again with a header of column names.',
  );
};

const sampleBelow = async (
  header: TableRow,
  batches: AsyncIterable<readonly TableRow[]>,
): Promise<Sample> => {
  const rows: TableRow[] = [];
  for await (const row of rowByRow(batches)) {
    if (row.line > header.line) rows.push(row);
    if (rows.length === SAMPLE_ROWS) break;
  }
  const columns = calledColumns(header.cells).map((name, at) => ({
    name,
    cells: rows.map(({ cells }) => (cells[at] ?? '').trim()),
  }));
  return { header, columns };
};

/** Whether a row may be a header: it has several cells, nearly all of them filled with words, and no date. */
const isHeader = ({ cells }: TableRow): boolean => {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const words = new Set(filled.filter((cell) => /\p{L}/u.test(cell) && !/^[\d$(-]/.test(cell)));
  return filled.length >= 3 && words.size >= filled.length * 0.8;
};

/** What the filled cells of a column can be. */
const CELLS = {
  text: () => true,
  amount: (filled: readonly string[], name: string) =>
    filled.every((cell) => AMOUNT.test(cell)) && !isFlag(filled, name),
  date: (filled: readonly string[]) => dateFormsOf(filled).length > 0,
  /** Sales abroad name other regions, so half of the cells are enough. */
  state: (filled: readonly string[]) =>
    filled.filter((cell) => usRegionCode(cell) !== undefined).length * 2 >= filled.length,
  /** More different values are not kinds of rows. */
  kind: (filled: readonly string[]) => filled.length > 0 && new Set(filled).size <= 20,
};

const AMOUNT = /^\(?[-−]?\s?(?:US)?\$?\s?-?\d[\d.,]*\)?$/;

/** Whether a column answers a question in each row: 0 and 1 do not mean dollars then. */
const isFlag = (filled: readonly string[], name: string): boolean =>
  /\?\s*$/.test(name) || (filled.includes('1') && filled.every((cell) => cell === '0' || cell === '1'));

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
  status: sought('kind', /\b(?:status|type|kind)$/, /\b(?:tax|ship\w*|payment)\b/),
  state: sought('state', /\b(?:state|province|region|st)\b/, NO_PLACE),
  zip: sought('text', /\b(?:zip|zipcode|postal|postcode|post)\b/, NO_PLACE),
  country: sought('text', /\bcountry\b/, NO_PLACE),
  city: sought('text', /\b(?:city|town)\b/, NO_PLACE),
  street: sought('text', /\b(?:street|address)\b/, NO_PLACE),
  tax: sought(
    'amount',
    /\btax(?:es)?\b/,
    /\b(?:rate|id|incl\w*|excl\w*|before|after|exempt|refund\w*|ship\w*)\b|%/,
  ),
  shipping: sought('amount', /\b(?:shipping|freight|delivery|postage)\b/, /\b(?:tax|disc\w*|refund\w*)\b/),
  refunded: sought('amount', /\brefund(?:ed|s)?\b/, /\btax\b/),
  goods: sought('amount', /\bsub ?-?total\b|\bbefore tax\b|\bline net\b/),
  total: sought('amount', /\btotal\b|^(?:gross|amount|due)$/, /\b(?:sub|before|refund\w*)\b/),
  price: sought('amount', /\b(?:price|cost)\b/, /\b(?:tax|ship\w*|disc\w*)\b/),
  quantity: sought('amount', /\b(?:quantity|qty|units)\b/),
  sku: sought('text', /\bsku\b|\b(?:item|product) (?:id|code|number)\b/),
  description: sought('text', /\b(?:item|product|description|title)\b/, /\b(?:id|code|price|cost|type)\b/),
};

type Meaning = keyof typeof SOUGHT;
export type Guess = Partial<Record<Meaning, SampleColumn>>;

/** Guess the column of each meaning: of those whose name and cells can have it, the one with the shortest name. */
export const guessColumns = (columns: readonly SampleColumn[]): Guess => {
  const guess: Guess = {};
  const free = new Set(columns.filter(({ name }) => name !== ''));
  for (const [meaning, { cells, words, never }] of Object.entries(SOUGHT)) {
    const [best] = [...free]
      .filter((column) => {
        const name = wordsOf(column);
        return words.test(name) && !never.test(name) && CELLS[cells](filledOf(column), name);
      })
      .sort((one, other) => wordsOf(one).length - wordsOf(other).length);
    if (!best) continue;
    guess[meaning as Meaning] = best;
    free.delete(best);
  }
  return guess;
};

/** The words of a name, without a unit such as `($)` behind it. */
const wordsOf = ({ name }: SampleColumn): string => columnWords(name).replace(/\s*\((?:\W*|usd)\)$/, '');

export const filledOf = ({ cells }: SampleColumn): readonly string[] => cells.filter((cell) => cell !== '');

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
export const dateFormsOf = (cells: readonly string[]): readonly string[] =>
  cells.length === 0 ? [] : FORMS.filter((form) => cells.every((cell) => dateForm(form)(cell) !== undefined));

/**
 * Read the first order numbers of a table that looks like sales; none if it does not, has no numbers, or is unreadable.
 */
export const saleNumbersIn = async (source: FileSource): Promise<readonly string[]> => {
  try {
    const file = await surveyFile(source);
    const heads = await tableHeads(file);
    const found = knownAmong(file, heads);
    if (!found) return numbersIn(guessedNumber((await sampleOf(file, heads)).columns));
    const { profile, header, headerLine, rows } = found;
    if (!isSalesProfile(profile)) return [];
    const { columns } = await sampleBelow({ line: headerLine, cells: header }, rows());
    const key = normalColumn(profile.shape.key[0] ?? '');
    return numbersIn(columns.find(({ name }) => normalColumn(name) === key));
  } catch (error) {
    if (error instanceof TieoutError && error.recovery !== 'defect') return [];
    throw error;
  }
};

const knownAmong = (file: SurveyedFile, heads: readonly TableHead[]): Detected | undefined => {
  try {
    return detectAmong(file, heads, shippedProfiles());
  } catch (error) {
    if (error instanceof ExportError && error.code === 'E_EXPORT_UNKNOWN') return undefined;
    throw error;
  }
};

const numbersIn = (column: SampleColumn | undefined): readonly string[] =>
  column ? [...new Set(filledOf(column))] : [];

/** The column of order numbers where columns look like sales: a number with an amount, and a tax or the day and place. */
const guessedNumber = (columns: readonly SampleColumn[]): SampleColumn | undefined => {
  const { id, date, total, tax, goods, price, state, zip } = guessColumns(columns);
  const isOfOrders = id && /order|invoice|receipt|sale/i.test(id.name);
  const isOfSales = isOfOrders || (date && (tax ?? state ?? zip));
  return isOfSales && (total ?? tax ?? goods ?? price) ? id : undefined;
};
