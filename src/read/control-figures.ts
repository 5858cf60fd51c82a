import { type FileControls, OUTCOMES, type RecordOutcome } from '../judge/input-findings.ts';
import { add, type Money, money, type Price, price, ZERO, ZERO_PRICE } from '../kernel/money.ts';
import { ExportError } from '../sales/export-error.ts';
import type { SalesProfile } from '../sales/profile.ts';
import { moneyReader, rowReader } from '../sales/row-reader.ts';
import type { Sale } from '../sales/sale.ts';
import type { TableRow } from '../sales/table-row.ts';

/** The properties by which a file is measured: its control columns, and the format of its amounts. */
type Measured = {
  /** The file, for messages. */
  readonly place: string;
  readonly header: readonly string[];
  readonly profile: Pick<SalesProfile, 'file'> & { readonly locale: SalesProfile['locale'] | MoneyLocale };
  readonly controls: readonly string[];
};
type MoneyLocale = Omit<SalesProfile['locale'], 'date' | 'taxDate'>;

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
    columns,
    /** Returns the control totals of these rows. */
    of: (rows: readonly TableRow[]): Controls => {
      const figures = noFigures(columns.length);
      for (const row of rows) add(figures, row);
      return [figures.rows, ...figures.sums];
    },
    pass: (row: TableRow): void => add(whole, row),
    /** Returns the control totals of the rows passed. */
    passed: (): Passed => ({ columns, whole }),
  };
};

export type ColumnMeter = ReturnType<typeof columnMeter>;

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

export type OutcomeFigures = FileControls['outcomes'];

type OutcomeDrafts = Record<RecordOutcome, FiguresDraft & { records: number }>;

export const noOutcomes = (columns: number): OutcomeDrafts =>
  Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, { records: 0, ...noFigures(columns) }]),
  ) as OutcomeDrafts;

/**
 * Returns a tally of the records of one file by their outcomes, as they are kept.
 *
 * @param file for messages
 */
export const fileTally = (columns: number, file: string) => {
  const outcomes = noOutcomes(columns);
  const taxByDay = new Map<string, Money>();
  /** Counts a record, or takes it back. */
  const count = (outcome: RecordOutcome, controls: Controls, by: 1 | -1): void => {
    const to = outcomes[outcome];
    to.records += by;
    to.rows += by * (controls[0] ?? 0);
    for (let index = 0; index < columns; index += 1)
      to.sums[index] = exactSum(to.sums[index] ?? 0, by * (controls[1 + index] ?? 0), file);
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
    outcomes: (): OutcomeFigures => outcomes,
    /** The tax of its orders by business day. */
    orderTax: (): Readonly<Record<string, Money>> =>
      Object.fromEntries([...taxByDay].filter(([, tax]) => tax !== ZERO).sort()),
  };
};

export type FileTally = ReturnType<typeof fileTally>;
