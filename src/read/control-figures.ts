import {
  type Figures,
  type FileControls,
  OUTCOMES,
  type RecordOutcome,
  type UnreadableCell,
} from '../close/reconcile/input-exceptions.ts';
import { ExportError } from '../close/sales/export-error.ts';
import type { SalesProfile } from '../close/sales/profile.ts';
import { moneyReader } from '../close/sales/read-money.ts';
import { rowReader } from '../close/sales/row-reader.ts';
import type { TableRow } from '../close/sales/table-row.ts';
import { type Price, price, ZERO_PRICE } from '../kernel/money.ts';

/** The properties by which a file is measured: its control columns, and the format of its amounts. */
type Measured = {
  /** The file, for messages. */
  readonly place: string;
  readonly header: readonly string[];
  readonly profile: Pick<SalesProfile, 'file'> & { readonly locale: SalesProfile['locale'] | MoneyLocale };
  readonly controls: readonly string[];
};
type MoneyLocale = Omit<SalesProfile['locale'], 'date' | 'taxDate'>;

/** Measures the rows of one file. */
export type ColumnMeter = {
  readonly columns: readonly string[];
  /** Returns the control totals of these rows. */
  readonly of: (rows: readonly TableRow[]) => Figures;
  readonly pass: (row: TableRow) => void;
  /** Returns the control totals of the rows passed. */
  readonly passed: () => Passed;
};

export type Passed = {
  readonly whole: Figures;
  /** For each column, the first cell that is filled but does not contain an amount. */
  readonly firstUnreadable: readonly UnreadableCell[];
};

/**
 * Returns a meter for the rows of one file. Blank cells count as zero; filled cells that are not amounts are counted.
 */
export const columnMeter = ({ place, header, profile, controls }: Measured): ColumnMeter => {
  const { nullTokens, headerAliases } = profile.file;
  const cells = rowReader(header, { nullTokens, headerAliases });
  const money = moneyReader(profile.locale);
  const columns = controls.filter((column) => cells.indexOf(column) >= 0);
  const texts = columns.map(cells.text);
  const first = new Map<string, UnreadableCell>();
  const all = noFigures(columns.length);

  const add = (draft: FiguresDraft, row: TableRow): void => {
    draft.rows += 1;
    for (let index = 0; index < texts.length; index += 1) {
      const value = texts[index]?.(row) ?? '';
      if (value === '') continue;
      const amount = money(value);
      if (amount !== undefined) draft.sums[index] = exactSum(draft.sums[index] ?? ZERO_PRICE, amount, place);
      else {
        const column = columns[index] ?? '';
        draft.unreadable[index] = (draft.unreadable[index] ?? 0) + 1;
        if (!first.has(column)) first.set(column, { column, line: row.line, value });
      }
    }
  };
  return {
    columns,
    of: (rows) => {
      const figures = noFigures(columns.length);
      for (const row of rows) add(figures, row);
      return figures;
    },
    pass: (row) => add(all, row),
    passed: () => ({ whole: all, firstUnreadable: [...first.values()] }),
  };
};

/** Figures that are being added up. */
type FiguresDraft = { rows: number; sums: Price[]; unreadable: number[] };

const noFigures = (columns: number): FiguresDraft => ({
  rows: 0,
  sums: Array<Price>(columns).fill(price(0)),
  unreadable: Array<number>(columns).fill(0),
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

/** Returns figures as a short text for storage: rows, then sums, then unreadable cells. */
export const controlsText = ({ rows, sums, unreadable }: Figures): string => {
  let text = String(rows);
  for (const sum of sums) text += ` ${sum}`;
  for (const count of unreadable) text += ` ${count}`;
  return text;
};

/** Add stored figures to others. It parses the text in place for speed, because there is one text for every record. */
export const addControlsText = (to: FiguresDraft, text: string, file: string): void => {
  const numbers = text.split(' ');
  const columns = to.sums.length;
  to.rows += Number(numbers[0]);
  for (let index = 0; index < columns; index += 1) {
    to.sums[index] = exactSum(to.sums[index] ?? 0, Number(numbers[1 + index]), file);
    to.unreadable[index] = (to.unreadable[index] ?? 0) + Number(numbers[1 + columns + index]);
  }
};

export type OutcomeFigures = FileControls['outcomes'];

type OutcomeDrafts = Record<RecordOutcome, FiguresDraft & { records: number }>;

export const noOutcomes = (columns: number): OutcomeDrafts =>
  Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, { records: 0, ...noFigures(columns) }]),
  ) as OutcomeDrafts;

/** Adds up the records of one file by their outcomes, as they are kept. */
export type FileTally = {
  readonly add: (outcome: RecordOutcome, controls: string) => void;
  readonly takeBack: (outcome: RecordOutcome, controls: string) => void;
  readonly outcomes: () => FileControls['outcomes'];
};

/** @param file for messages */
export const fileTally = (columns: number, file: string): FileTally => {
  const outcomes = noOutcomes(columns);
  return {
    add: (outcome, controls) => {
      outcomes[outcome].records += 1;
      addControlsText(outcomes[outcome], controls, file);
    },
    takeBack: (outcome, controls) => {
      const from = outcomes[outcome];
      const texts = controls.split(' ');
      const numbers = texts.map(Number);
      from.records -= 1;
      from.rows -= numbers[0] ?? 0;
      for (let index = 0; index < columns; index += 1) {
        from.sums[index] = exactSum(from.sums[index] ?? 0, -(numbers[1 + index] ?? 0), file);
        from.unreadable[index] = (from.unreadable[index] ?? 0) - (numbers[1 + columns + index] ?? 0);
      }
    },
    outcomes: () => outcomes,
  };
};
