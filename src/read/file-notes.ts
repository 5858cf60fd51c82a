import { type FileControls, OUTCOMES, type RecordOutcome } from '../judge/input-findings.ts';
import { addDays, type CalendarDate, daysFrom, laterOf } from '../kernel/calendar.ts';
import { add, type Money, money, type Price, price, ZERO, ZERO_PRICE } from '../kernel/money.ts';
import { ExportError } from '../sales/file-source.ts';
import type { SalesProfile } from '../sales/profile.ts';
import type { ReadGroup } from '../sales/read-export.ts';
import { moneyReader, rowReader } from '../sales/row-reader.ts';
import type { Sale, SaleFinding } from '../sales/sale.ts';
import type { MoneyForm } from '../sales/sale-map.ts';
import type { TableRow } from '../sales/table-row.ts';

/** Notes on a file from its rows and records. */
export type FileNotes = {
  /** The days on which it has records, in order. */
  readonly days: readonly CalendarDate[];
  readonly notices: readonly SaleFinding[];
};

/** The code of records that fail the arithmetic of their file. */
const UNEQUAL = 'total-differs';

/** Fewer records than the first, or than the second where they are few of all, may be wrong by themselves. */
const UNEQUAL_MAX = 20;
const UNEQUAL_FEW = 10;

/** Takes notes on a file while its rows pass and its records are read. `place` is the file, for messages. */
export const noteTaker = ({ whole }: Passed, profile: SalesProfile, place: string) => {
  const days = new Set<CalendarDate>();
  let records = 0;
  const unequal: string[] = [];
  const see = ({ group, record }: ReadGroup): void => {
    if ('outcome' in record) {
      if (record.businessDate !== null) days.add(record.businessDate);
      return;
    }
    const { businessDate, findings, origin } = record.sale;
    records += 1;
    const wrong = findings.find(({ code }) => code === UNEQUAL);
    if (wrong) unequal.push(`${group.name} on line ${origin.line}, where ${wrong.message}`);
    days.add(businessDate);
  };
  /** @throws {ExportError} E_EXPORT_AMOUNTS if too many records do not add up: it is not written as its profile reads it */
  const end = (): FileNotes => {
    const isPart = unequal.length >= UNEQUAL_FEW && unequal.length * 100 > records;
    if (unequal.length > UNEQUAL_MAX || isPart)
      throw new ExportError(
        'E_EXPORT_AMOUNTS',
        place,
        `${unequal.length} of its ${records} records do not add up as ${profile.id} says, such as this one: ${unequal[0]}`,
        'Compare the record with the shop. If the file was edited, export it again. If the record is right, write how this file adds up into a profile of your own that extends this one (docs/source-profiles.md, “What a file adds up to”).',
      );
    return { days: [...days].sort(), notices: noRowsNotice(whole.rows) };
  };
  return { see, end };
};

/** Returns the finding on a file without rows. */
export const noRowsNotice = (rows: number): readonly SaleFinding[] =>
  rows === 0 ? [{ code: 'no-rows', message: 'it has a header and no rows' }] : [];

type DatedFile = Pick<FileNotes, 'days'> & { readonly path: string };

/** This many days without a sale are not unusual in any shop. */
const QUIET_DAYS = 3;

/**
 * Returns findings on days that no file of a channel has although earlier and later files do, by the path of the later
 * one. A shop that often pauses may well have paused between two files.
 *
 * @param files of one profile
 */
export const missingDays = (files: readonly DatedFile[]): ReadonlyMap<string, SaleFinding> => {
  const found = new Map<string, SaleFinding>();
  const spans = files.toSorted((one, other) => ((one.days[0] ?? '') < (other.days[0] ?? '') ? -1 : 1));
  const pauses = spans.flatMap(({ days }) =>
    days.slice(1).map((day, index) => daysFrom(days[index] ?? day, day)),
  );
  const usual = Math.max(QUIET_DAYS, ...pauses);
  let latest: CalendarDate | undefined;
  for (const { path, days } of spans) {
    const [first] = days;
    if (latest && first && daysFrom(latest, first) > usual) {
      const message = `no file has a record from ${addDays(latest, 1)} to ${addDays(first, -1)}; an export may be missing`;
      found.set(path, { code: 'days-missing', message });
    }
    const last = days.at(-1);
    if (last) latest = laterOf(latest ?? last, last);
  }
  return found;
};

/** The properties by which a file is measured: its control columns, and the format of its amounts. */
type Measured = {
  /** The file, for messages. */
  readonly place: string;
  readonly header: readonly string[];
  readonly profile: Pick<SalesProfile, 'file'> & { readonly locale: MoneyForm };
  readonly controls: readonly string[];
};

export type Passed = Pick<FileControls, 'columns' | 'whole'>;

/**
 * Returns a meter for the rows of one file. Cells that hold no amount count as zero.
 */
export const columnMeter = ({ place, header, profile, controls }: Measured) => {
  const cells = rowReader(header, profile.file);
  const money = moneyReader(profile.locale);
  const columns = controls.filter((column) => cells.indexOf(column) >= 0);
  const texts = columns.map(cells.text);
  const whole = noFigures(columns.length);
  const add = (to: FiguresDraft, row: TableRow): void => {
    to.rows += 1;
    for (let index = 0; index < texts.length; index += 1) {
      const value = texts[index]?.(row) ?? '';
      const amount = value === '' ? undefined : money(value);
      if (amount !== undefined) to.sums[index] = exactSum(to.sums[index] ?? ZERO_PRICE, amount, place);
    }
  };
  return {
    place,
    columns,
    /** The control totals of the rows passed. */
    whole,
    /** Returns the control totals of these rows. */
    of: (rows: readonly TableRow[]): Controls => {
      const figures = noFigures(columns.length);
      for (const row of rows) add(figures, row);
      return [figures.rows, ...figures.sums];
    },
    pass: (row: TableRow): void => add(whole, row),
  };
};

type ColumnMeter = ReturnType<typeof columnMeter>;

/** Figures that are being added up. */
type FiguresDraft = {
  rows: number;
  sums: Price[];
};

const noFigures = (columns: number): FiguresDraft => ({
  rows: 0,
  sums: Array<Price>(columns).fill(ZERO_PRICE),
});

/**
 * @throws {ExportError} when the sum cannot be exact, which takes amounts that no real shop has: nine hundred billion
 * dollars.
 */
const exactSum = (left: number, right: number, file: string): Price => {
  const total = left + right;
  if (Number.isSafeInteger(total)) return price(total);
  throw new ExportError(
    'E_EXPORT_LIMIT',
    file,
    'the amounts in a column come to more than can be added exactly',
    'Look for damaged amounts in it.',
  );
};

/** The control totals of one record: its rows, and the sums of the columns. */
export type Controls = readonly number[];

type OutcomeDrafts = Record<RecordOutcome, FiguresDraft & { records: number }>;

export const noOutcomes = (columns: number): OutcomeDrafts =>
  Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, { records: 0, ...noFigures(columns) }]),
  ) as OutcomeDrafts;

/** Returns a tally of the records of one file by their outcomes, as they are kept. */
export const fileTally = ({ columns, place }: Pick<ColumnMeter, 'columns' | 'place'>) => {
  const outcomes = noOutcomes(columns.length);
  const taxByDay = new Map<string, Money>();
  /** Counts a record, or takes it back. */
  const count = (outcome: RecordOutcome, controls: Controls, by: 1 | -1): void => {
    const to = outcomes[outcome];
    to.records += by;
    to.rows += by * (controls[0] ?? 0);
    for (let index = 0; index < columns.length; index += 1)
      to.sums[index] = exactSum(to.sums[index] ?? 0, by * (controls[1 + index] ?? 0), place);
  };
  /** Counts a sale with the tax of its day, or takes it back. */
  const countSale = (sale: Sale, controls: Controls, by: 1 | -1): void => {
    count(sale.outcome, controls, by);
    const { kind, businessDate, salesTax } = sale;
    if (kind !== 'order' || salesTax === ZERO) return;
    taxByDay.set(businessDate, add(taxByDay.get(businessDate) ?? ZERO, money(by * salesTax)));
  };
  return {
    count,
    countSale,
    outcomes,
    /** The tax of its orders by business day. */
    orderTax: (): Readonly<Record<string, Money>> =>
      Object.fromEntries([...taxByDay].filter(([, tax]) => tax !== ZERO).sort()),
  };
};

export type FileTally = ReturnType<typeof fileTally>;
