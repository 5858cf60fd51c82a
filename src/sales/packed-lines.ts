import {
  absolute,
  add,
  formatPrice,
  isWholeCents,
  type Money,
  money,
  moneyOfPrice,
  subtract,
  ZERO,
} from '../kernel/money.ts';
import { columnsOf } from './expression.ts';
import type { SalesProfile } from './profile.ts';
import { type DateZones, dateReader } from './read-date.ts';
import {
  type CellProblem,
  isProblem,
  type RowForm,
  type RowReader,
  readerAt,
  refuseUnknown,
  rowReader,
} from './row-reader.ts';
import type { RefundDate } from './sale.ts';
import type { NumberedLines, PackedLines, PackedRefunds } from './sale-map.ts';
import { normalColumn, numberedColumns, type TableRow } from './table-row.ts';

/** Where to find the lines of a record: in rows, each of which has one line per reader. */
export type LineSource = {
  readonly readers: readonly RowReader[];
  readonly rowsOf: (rows: readonly TableRow[]) => readonly TableRow[];
  /** Each further row of a line, with its first row: they must agree about the line. */
  readonly repeatsOf?: (
    rows: readonly TableRow[],
  ) => readonly (readonly [first: TableRow, again: TableRow])[];
};

/**
 * Find the lines of records: in rows, in numbered columns, or packed into a text. If a file has numbered columns and
 * packed texts, the numbered columns are used.
 */
export const lineSource = (
  profile: SalesProfile,
  header: readonly string[],
  read: RowReader,
  form: RowForm,
): LineSource => {
  const { numberedLines, packedLines } = profile;
  const named = [...Object.keys(numberedLines ?? {}), ...(packedLines?.labels ?? [])];
  const numbered = numberedLines && numberedSource(numberedLines, header, form, named);
  if (numbered) return numbered;
  if (packedLines) return packedSource(packedLines, header, form, named);
  if (profile.shape.kind === 'jurisdiction') return { readers: [read], ...byLine(profile.shape, read) };
  return { readers: [read], rowsOf: (rows) => rows };
};

type JurisdictionShape = Extract<SalesProfile['shape'], { readonly kind: 'jurisdiction' }>;

/** The rows of a line each time that it stands in a record, and how often each jurisdiction taxed it so far. */
type Repeated = {
  readonly times: TableRow[][];
  readonly taxed: Map<string, number>;
};

/**
 * Group rows by line: a line taxed by several jurisdictions has a row for each, but only one price. What a line has
 * once, for the second time, belongs to the same line once more.
 */
const byLine = ({ line, oncePerLine }: JurisdictionShape, read: RowReader): Omit<LineSource, 'readers'> => {
  const texts = line.map(read.text);
  const markOf = read.texts(oncePerLine, '\u0001');
  const grouped = (rows: readonly TableRow[]): readonly (readonly TableRow[])[] => {
    const lines = new Map<string, Repeated>();
    for (const row of rows) {
      const cells = texts.map((text) => text(row));
      // A row that names no line is a further jurisdiction of the previous line.
      if (cells.every((cell) => cell === '')) continue;
      const key = cells.join('\u0001');
      const known = lines.get(key) ?? { times: [], taxed: new Map<string, number>() };
      const mark = markOf(row);
      const before = oncePerLine.length === 0 ? 0 : (known.taxed.get(mark) ?? 0);
      const time = known.times[before];
      if (time) time.push(row);
      else known.times.push([row]);
      known.taxed.set(mark, before + 1);
      lines.set(key, known);
    }
    return [...lines.values()].flatMap(({ times }) => times);
  };
  return {
    rowsOf: (rows) => grouped(rows).flatMap(([first]) => first ?? []),
    repeatsOf: (rows) =>
      grouped(rows).flatMap(([first, ...others]) =>
        first ? others.map((again) => [first, again] as const) : [],
      ),
  };
};

/** Find items in numbered columns, each with its own reader; `undefined` if the file has no such columns. */
export const numberedSource = (
  columns: NumberedLines,
  header: readonly string[],
  form: RowForm,
  named: readonly string[] = Object.keys(columns),
): LineSource | undefined => {
  const names = header.map(normalColumn);
  const byNumber = new Map<number, Map<string, number>>();
  for (const [name, pattern] of Object.entries(columns)) {
    refuseUnknown(pattern, form);
    for (const [number, column] of numberedColumns(names, normalColumn(pattern))) {
      const places = byNumber.get(number) ?? new Map<string, number>();
      byNumber.set(number, places.set(normalColumn(name), names.indexOf(column)));
    }
  }
  if (byNumber.size === 0) return undefined;
  const inOrder = [...byNumber].sort(([left], [right]) => left - right);
  const own = { ...form, columns: named };
  return { readers: inOrder.map(([, places]) => readerAt(places, own)), rowsOf: (rows) => rows };
};

/** Find items packed into texts, each as a row of its own. */
export const packedSource = (
  packed: PackedLines,
  header: readonly string[],
  form: RowForm,
  named: readonly string[] = packed.labels,
): LineSource => {
  refuseUnknown(packed.column, form);
  const names = header.map(normalColumn);
  const places = packed.column.includes('#')
    ? numberedColumns(names, normalColumn(packed.column)).map(([, column]) => names.indexOf(column))
    : [names.indexOf(normalColumn(packed.column))];
  return {
    readers: [rowReader(packed.labels, { ...form, columns: named })],
    rowsOf: (rows) =>
      rows.flatMap(({ line, cells }) =>
        places.flatMap((place) =>
          unpacked(cells[place] ?? '', packed).map((values) => ({ line, cells: values })),
        ),
      ),
  };
};

/** Unpack the items in a text, each as a list of values in the order of the labels. */
const unpacked = (text: string, packed: PackedLines): readonly (readonly string[])[] =>
  itemsOf(text, packed).map((item) => valuesIn(item, packed));

/** Split a text into items. An item starts with a label, since the separator may also occur in a name. */
const itemsOf = (text: string, { itemSplit, labels }: PackedLines): readonly string[] => {
  if (text.trim() === '') return [];
  if (itemSplit === undefined) return [text];
  const items: string[] = [];
  for (const piece of text.split(itemSplit)) {
    const last = items.length - 1;
    if (last < 0 || labelAt(piece.trimStart(), labels) !== undefined) items.push(piece);
    else items[last] += `${itemSplit}${piece}`;
  }
  return items;
};

const labelAt = (text: string, labels: readonly string[]): string | undefined =>
  labels.find((label) => text.startsWith(`${label}:`));

/** A field begins with a word and a colon; anything else continues the value before it. */
const FIELD = /^[\w-]+:/;

/**
 * Read the values of an item. Names contain commas, so after one only a known label begins a field; where the profile
 * says what stands between fields, plugins insert fields of their own anywhere.
 */
const valuesIn = (item: string, { fieldSplit, labels }: PackedLines): readonly string[] => {
  const mark = fieldSplit ?? ',';
  const fields: string[] = [];
  for (const piece of item.split(mark)) {
    const begins = labelAt(piece.trimStart(), labels) ?? (fieldSplit && FIELD.test(piece));
    if (fields.length === 0 || begins) fields.push(piece.trim());
    else fields[fields.length - 1] += `${mark}${piece}`;
  }
  return labels.map((label) => {
    const field = fields.find((one) => one.startsWith(`${label}:`));
    return field === undefined ? '' : field.slice(label.length + 1).trim();
  });
};

/** A repayment of an order that is not yet identified by its id. */
export type Repayment = Pick<RefundDate, 'instant' | 'amount'>;

/** Return a reader of a repayment: when, and how much with its tax, whatever its sign is; or what cannot be read of it. */
export const repaymentReader = (
  { amount, date }: Pick<PackedRefunds, 'amount' | 'date'>,
  read: RowReader,
  zones: DateZones,
): ((row: TableRow) => Repayment | CellProblem) => {
  const amountOf = read.amount(amount);
  const dateOf = dateReader(date, read, zones);
  return (row) => {
    const paid = amountOf(row);
    if (isProblem(paid) || !isWholeCents(paid)) {
      const value = isProblem(paid) ? paid.value : formatPrice(paid);
      return { problem: 'is not an amount of dollars and cents', column: columnsOf(amount), value };
    }
    const at = dateOf(row);
    return isProblem(at) ? at : { instant: at.at, amount: absolute(moneyOfPrice(paid)) };
  };
};

/**
 * Return a reader of the repayments packed into a cell of an order; other exports have them in a companion file.
 * `undefined` if the cell cannot be read.
 */
export const packedRepayments = (
  { id, packedRefunds: packed, locale }: SalesProfile,
  cells: Pick<RowReader, 'text'>,
  zones: DateZones,
): ((row: TableRow) => readonly Repayment[] | undefined) => {
  if (!packed) return () => [];
  const form = { money: locale, profile: id, columns: packed.labels };
  const repaymentOf = repaymentReader(packed, rowReader(packed.labels, form), zones);
  const textOf = cells.text(packed.column);
  return (row) => {
    const items = unpacked(textOf(row), packed).map((values) =>
      repaymentOf({ line: row.line, cells: values }),
    );
    const repayments = items.flatMap((item) => (isProblem(item) ? [] : item));
    return repayments.length < items.length ? undefined : repayments;
  };
};

/** What the rounding of each line adds to a refund of all of an order, or takes off it. */
export const CENT = money(1);

/** What was refunded of an order so far, tax included, and dated repayments if its rows have them. */
export type Refunded = {
  readonly refunded: Money;
  readonly repayments?: readonly Repayment[];
};

/**
 * Returns what was refunded of an order, with its dated repayments if it has any. Where its status says that all was
 * given back, that is all, also with a cent less.
 */
export const refundedOf = (
  isAll: boolean,
  all: Money,
  told: Money,
  repayments: readonly Repayment[],
): Refunded => {
  const last = repayments.at(-1);
  if (!last) return { refunded: isAll && told === ZERO ? all : told };
  if (!isAll || told !== subtract(all, CENT)) return { refunded: told, repayments };
  const rounded = { ...last, amount: add(last.amount, CENT) };
  return { refunded: all, repayments: [...repayments.slice(0, -1), rounded] };
};

type RowsOf = (rows: readonly TableRow[]) => readonly TableRow[];

/** Return a function that gives the rows of a record as its amounts are read from them. */
export const amountRowsOf = ({ shape, file: { nullTokens } }: SalesProfile, read: RowReader): RowsOf => {
  const nothing = new Set(['', ...nullTokens]);
  const isBlank = (cell: string | undefined): boolean => nothing.has((cell ?? '').trim());
  if (shape.kind === 'jurisdiction') return filledDown(shape.asBefore.map(read.indexOf), isBlank);
  if (shape.kind === 'line-repeat' && shape.summary !== undefined)
    return withSummary(read.text(shape.summary), isBlank);
  return (rows) => rows;
};

/** Fill the blank cells of these columns with those of the row before. */
const filledDown = (columns: readonly number[], isBlank: (cell: string | undefined) => boolean): RowsOf => {
  const present = columns.filter((index) => index >= 0);
  if (present.length === 0) return (rows) => rows;
  return (rows) => {
    const filled: TableRow[] = [];
    for (const row of rows) {
      const before = filled.at(-1);
      if (before && present.some((index) => isBlank(row.cells[index]))) {
        const isFilled = (index: number): boolean => present.includes(index) && isBlank(row.cells[index]);
        const cells = row.cells.map((cell, index) => (isFilled(index) ? (before.cells[index] ?? '') : cell));
        filled.push({ line: row.line, cells });
      } else filled.push(row);
    }
    return filled;
  };
};

/**
 * If the first row summarizes the record and the others list its items, amounts on the first row apply to the whole
 * record and are blanked in the others, so that they are not counted twice.
 */
const withSummary = (
  summaryOf: (row: TableRow) => string,
  isBlank: (cell: string | undefined) => boolean,
): RowsOf => {
  const isSummary = (row: TableRow): boolean => summaryOf(row) === '';
  return (rows) => {
    const [first, ...others] = rows;
    if (!first || others.length === 0 || !isSummary(first) || others.every(isSummary)) return rows;
    const isTold = first.cells.map((cell) => !isBlank(cell));
    return [
      first,
      ...others.map(({ line, cells }) => ({
        line,
        cells: cells.map((cell, index) => (isTold[index] ? '' : cell)),
      })),
    ];
  };
};
