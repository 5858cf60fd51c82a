import { basename } from 'node:path';
import { calledColumns, normalColumn } from '../files/normal-column.ts';
import type { SurveyedFile } from '../files/survey-file.ts';
import { type TableHead, tableHeads } from '../files/table-heads.ts';
import { rowByRow, type TableRow } from '../files/table-row.ts';
import { TO_DECIDE } from '../unknown-columns.ts';
import { bestHeader, DELIMITERS } from './draft-header.ts';
import { guessByCells } from './guess-by-cells.ts';
import { guessColumns, type Meaning } from './guess-columns.ts';
import {
  framingPatterns,
  guessDateForm,
  guessShape,
  isOfLines,
  type ShapeGuess,
  startOf,
} from './guess-values.ts';
import { askAbout, firstOf, type Guess, listed, mapLines, quoted, ruleLines } from './map-lines.ts';
import { otherKeys } from './other-keys.ts';

/** Maximum number of rows used for the guesses. */
const SAMPLE_ROWS = 500;

/**
 * Draft a source profile as YAML: values guessed from the header and the first rows, and `DECIDE` where only a person
 * can know. The draft can be tried at once with `tieout profile test FILE --profile DRAFT`.
 *
 * @throws {ExportError} when no row looks like a header
 */
export const draftProfile = async (file: SurveyedFile): Promise<string> => {
  const { head, header } = bestHeader(file, await tableHeads(file, DELIMITERS));
  const sample: TableRow[] = [];
  for await (const row of rowByRow(head.from(header))) {
    if (row.line !== header.line) sample.push(row);
    if (sample.length === SAMPLE_ROWS) break;
  }
  const columns = calledColumns(header.cells);
  return textOf({ file, columns, sample, head, header });
};

type Draft = {
  readonly file: SurveyedFile;
  readonly columns: readonly string[];
  readonly sample: readonly TableRow[];
  readonly head: TableHead;
  readonly header: TableRow;
};

const textOf = ({ file, columns, sample: all, head, header }: Draft): string => {
  const framing = framingPatterns(all);
  const patterns = framing.map((pattern) => new RegExp(pattern, 'iu'));
  const sample = all.filter((row) => !patterns.some((pattern) => pattern.test(startOf(row))));
  const found = guessColumns(columns);
  const guess = guessByCells(found.guess, columns, sample);
  const unsure =
    guess.state === found.guess.state ? found.unsure : new Set([...found.unsure, 'state' as const]);
  const asked = askAbout({ guess, unsure });
  const valuesOf = (meaning: Meaning): readonly string[] => {
    const column = guess[meaning];
    const index = column === undefined ? -1 : columns.indexOf(column);
    return index < 0 ? [] : sample.map(({ cells }) => (cells[index] ?? '').trim());
  };
  const amountsOf = (meaning: Meaning): readonly string[] => {
    const values = valuesOf(meaning);
    return sample.map((_, index) => values[index] ?? '');
  };
  const shape = guessShape(valuesOf('id'), valuesOf('total'), itemsOf(valuesOf));
  const ofLines = (['shipping', 'shippingTax', 'tax', 'total', 'goods'] as const).filter(
    (meaning) => shape.kind !== 'order-per-row' && isOfLines(valuesOf('id'), valuesOf(meaning)),
  );
  const dated = datedBy(guess, valuesOf('date'), valuesOf('time'));
  const name = basename(file.name).replace(/\.\w+(\.gz)?$/, '');
  const id =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'export';
  const map = mapLines(guess, columns, {
    ofLines,
    isOfOrders: shape.kind === 'order-per-row',
    quantities: valuesOf('quantity'),
    exemptions: valuesOf('exempt'),
  });
  const mapped = [
    'detect:',
    '  # Columns without which a file is not of this kind.',
    `  required: ${listed(namedOnce(requiredOf(guess, columns), header))}`,
    ...fileLines(head, framing),
    '',
    ...localeLines(guess, dated).map(asked),
    '',
    ...shapeLines(guess, shape, columns, ofLines).map((line) =>
      line.startsWith('  key:') ? asked(line) : line,
    ),
    '',
    ...ruleLines(guess, columns, {
      types: valuesOf('type'),
      statuses: valuesOf('status'),
      amounts: amountsOf(guess.total === undefined ? 'tax' : 'total'),
    }),
    '',
    ...map.map(asked),
    ...otherKeys(map),
    '',
    `controls: ${listed([guess.goods, guess.net, guess.shipping, guess.shippingTax, guess.tax, guess.total].filter((column) => column !== undefined))}`,
  ];
  const unused = columns.filter(
    (column) => column !== '' && !mapped.some((line) => line.includes(quoted(column))),
  );
  const lines = [
    `# A draft for ${basename(file.name)}, guessed from its header and ${sample.length} rows. Check every line. DECIDE marks a`,
    '# question that only you can answer. Where the line is right, delete the comment and keep the line; otherwise write the',
    '# right column in quotes. To use a key that is commented out, remove its #.',
    '# Try it: tieout profile test FILE --profile THIS.yaml',
    'schema: 1',
    `id: own.${/^[a-z]/.test(id) ? id : `x${id}`}`,
    'version: 1',
    `title: ${quoted(name)}`,
    'capability: sales',
    `source: ${quoted(`Drafted from ${basename(file.name)}, header on line ${header.line}.`)}`,
    '',
    `columns: ${listed(namedOnce(columns, header))}`,
    ...(unused.length === 0
      ? []
      : [`# Not used below: ${unused.join(', ')}. DECIDE: does one of them have an amount or an address?`]),
    '',
    ...mapped,
  ];
  return `${lines.join('\n')}\n`;
};

/** The columns among these that a header has by their very name, and not as the second of one. */
const namedOnce = (columns: readonly string[], { cells }: TableRow): readonly string[] => {
  const names = new Set(cells.map(normalColumn));
  return columns.filter((column) => column !== '' && names.has(normalColumn(column)));
};

const requiredOf = (guess: Guess, columns: readonly string[]): readonly string[] => {
  const known = [guess.id, guess.date, guess.total, guess.tax, guess.state, guess.zip];
  const required = known.filter((column) => column !== undefined);
  return required.length > 0 ? required : [firstOf(columns)];
};

const fileLines = ({ delimiter }: TableHead, framing: readonly string[]): readonly string[] => {
  const lines = [
    ...(delimiter !== undefined && delimiter !== ',' ? [`  delimiters: [${quoted(delimiter)}]`] : []),
    ...(framing.length === 0
      ? []
      : [
          `  footer: ${listed(framing)} # DECIDE: are rows that begin like this totals or notes, and not sales?`,
        ]),
  ];
  return lines.length === 0 ? [] : ['', 'file:', ...lines];
};

/** Values that identify an item, without the signs of amounts, since those of a refund are reversed. */
const itemsOf = (valuesOf: (meaning: Meaning) => readonly string[]): readonly (readonly string[])[] =>
  (['sku', 'description', 'quantity', 'unitPrice', 'net'] as const).map((meaning) =>
    valuesOf(meaning).map((value) => value.replace(/^-|^\(|\)$/g, '')),
  );

type Dated = { readonly columns: readonly string[]; readonly values: readonly string[] };

/** The date columns, including the time column if both together give an instant. */
const datedBy = (guess: Guess, dates: readonly string[], times: readonly string[]): Dated => {
  const alone = { columns: guess.date === undefined ? [] : [guess.date], values: dates };
  if (guess.date === undefined || guess.time === undefined) return alone;
  const values = dates.map((date, index) => (date === '' ? '' : `${date} ${times[index] ?? ''}`.trim()));
  const form = guessDateForm(values)?.form;
  return form?.includes('mm') ? { columns: [guess.date, guess.time], values } : alone;
};

const localeLines = (guess: Guess, { columns, values: dates }: Dated): readonly string[] => {
  const form = guessDateForm(dates);
  const zone = /ZZZ/.test(form?.form ?? '')
    ? 'cell-offset'
    : /zzz/.test(form?.form ?? '')
      ? 'cell-abbreviation'
      : 'channel';
  const decision =
    form === undefined
      ? ` # DECIDE: which form is ${quoted(dates.find((value) => value !== '') ?? 'a blank cell')}? None that is known fits.`
      : form.or === undefined
        ? ''
        : ` # DECIDE: or is it ${form.or}? The dates fit both.`;
  return [
    'locale:',
    '  date:',
    `    columns: ${listed(columns.length > 0 ? columns : [TO_DECIDE])}${columns.length === 0 ? ' # DECIDE: which column is the date of the sale?' : ''}`,
    `    forms: [${quoted(form?.form ?? 'yyyy-MM-dd')}]${decision}`,
    `    zone: ${zone}${zone === 'channel' ? ' # DECIDE: in which zone are these times? `channel`: that of tieout.yaml.' : ''}`,
    '  group: ","',
    '  currencySymbols: ["$"]',
    '  negative: [minus, parentheses]',
    guess.currency === undefined
      ? '  currency: { constant: USD } # DECIDE: are all amounts in US dollars? No column names a currency.'
      : `  currency: ${quoted(guess.currency)}`,
  ];
};

const shapeLines = (
  guess: Guess,
  { kind, repeated }: ShapeGuess,
  columns: readonly string[],
  ofLines: readonly Meaning[],
): readonly string[] => {
  const key = guess.id ?? firstOf(columns);
  const ofOrder = (['date', 'total', 'tax'] as const).filter((meaning) => !ofLines.includes(meaning));
  return [
    ...(repeated === 0
      ? []
      : [
          `# DECIDE: ${repeated} of ${repeated === 1 ? 'the rows has' : 'the rows have'} the number and the item of the row before. Are these refunds, repeated rows, or lines?`,
        ]),
    `# DECIDE: is it ${kind} (${SHAPES[kind]})? The wrong kind counts money twice or drops it.`,
    `# The other kinds: ${Object.entries(SHAPES)
      .filter(([other]) => other !== kind)
      .map(([other, what]) => `${other} (${what})`)
      .join(', ')}.`,
    'shape:',
    `  kind: ${kind}`,
    `  key: [${quoted(key)}]${guess.id === undefined ? ' # DECIDE: which column is the number of the order?' : ''}`,
    ...(kind === 'line-blank' ? [`  head: ${quoted(guess.total ?? key)}`] : []),
    ...(kind === 'order-per-row'
      ? []
      : [
          `  orderColumns: ${listed(ofOrder.map((meaning) => guess[meaning]).filter((column) => column !== undefined))}`,
        ]),
  ];
};

const SHAPES = {
  'order-per-row': 'each row is an order',
  'line-repeat': 'each row is a line of an order, and the cells of the order are on each of its rows',
  'line-blank': 'each row is a line of an order, and the cells of the order are on its first row only',
} as const;
