import { type Place, placeOf, rangesOf } from './address.ts';
import { formulaAt } from './relative-formula.ts';

/** One sheet: how it is set up, and its cells by address. */
export type Grid = {
  /** A line for each thing that holds for the whole sheet or a range of it. */
  readonly setUp: readonly string[];
  readonly values: ReadonlyMap<string, string>;
  /** With distances in place of addresses. */
  readonly formulas: ReadonlyMap<string, string>;
};

/**
 * The grid as text to be read and reviewed: a line for every row with its cells between bars, then the formulas,
 * each where it starts and how far it is filled.
 */
export const gridText = ({ setUp, values, formulas }: Grid): string => {
  const rows = new Map<number, string[]>();
  for (const [address, value] of values) {
    const { row, column } = placeOf(address);
    const cells = rows.get(row) ?? [];
    cells[column - 1] = escaped(value);
    rows.set(row, cells);
  }
  const byRow = [...rows].sort(([a], [b]) => a - b);
  return [
    'set-up',
    ...setUp.map((line) => `  ${escaped(line)}`),
    'cells',
    ...byRow.map(([row, cells]) => `${row} | ${Array.from(cells, (cell) => cell ?? '').join(' | ')}`),
    'formulas',
    ...rangesOf(formulas).map(
      ([range, formula]) => `  ${range} = ${escaped(formulaAt(formula, firstOf(range)))}`,
    ),
    '',
  ].join('\n');
};

const firstOf = (range: string): Place => placeOf(range.split(':')[0] ?? '');

/** Bars and ends of lines that belong to a text. */
const escaped = (text: string): string =>
  text.replace(/[\\|\n\r]/g, (sign) => `\\${{ '\n': 'n', '\r': 'r' }[sign] ?? sign}`);
