import { type Price, price } from '../../../kernel/price.ts';
import type { Figures } from '../../reconcile/control-totals.ts';
import { ExportError } from '../../sales/export-error.ts';

export const noFigures = (columns: number): Figures => ({
  rows: 0,
  sums: Array<Price>(columns).fill(price(0)),
  unreadable: Array<number>(columns).fill(0),
});

/** Two figures as one. @throws {ExportError} when they come to more than can be added exactly. */
export const plusFigures = (left: Figures, right: Figures, file: string): Figures => ({
  rows: left.rows + right.rows,
  sums: left.sums.map((sum, index) => exactSum(sum, right.sums[index] ?? 0, file)),
  unreadable: left.unreadable.map((count, index) => count + (right.unreadable[index] ?? 0)),
});

/** @throws {ExportError} when the sum cannot be exact: no shop sells for nine hundred billion dollars. */
export const exactSum = (left: number, right: number, file: string): Price => {
  const total = left + right;
  if (Number.isSafeInteger(total)) return price(total);
  throw new ExportError(
    'E_EXPORT_LIMIT',
    file,
    'the amounts in a column come to more than can be added exactly',
    'Look for damaged amounts in it.',
  );
};

/** Figures as a short text to keep: rows, then sums, then unreadable cells. */
export const figuresText = ({ rows, sums, unreadable }: Figures): string =>
  `${rows} ${sums.join(' ')} ${unreadable.join(' ')}`;

export const figuresIn = (text: string, columns: number): Figures => {
  const [rows = 0, ...others] = text.split(' ').map(Number);
  return {
    rows,
    sums: others.slice(0, columns).map(price),
    unreadable: others.slice(columns, 2 * columns),
  };
};
