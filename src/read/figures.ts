import type { Figures } from '../close/reconcile/input-exceptions.ts';
import { ExportError } from '../close/sales/export-error.ts';
import { type Price, price } from '../kernel/money.ts';

/** Figures that are being added up. */
export type FiguresDraft = { rows: number; sums: Price[]; unreadable: number[] };

export const noFigures = (columns: number): FiguresDraft => ({
  rows: 0,
  sums: Array<Price>(columns).fill(price(0)),
  unreadable: Array<number>(columns).fill(0),
});

/**
 * @throws {ExportError} when the sum cannot be exact, which takes amounts that no real shop has: nine hundred billion
 * dollars.
 */
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
