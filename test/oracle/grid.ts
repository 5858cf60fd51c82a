import { addressOf, columnLetters, type Place, placeOf, placesIn, rangesOf } from './address.ts';
import { formulaAt, relativeFormula } from './relative-formula.ts';

/** One sheet: how it is set up, and its cells by address. */
export type Grid = {
  /** A line for each thing that holds for the whole sheet or a range of it. */
  readonly setUp: readonly string[];
  readonly values: ReadonlyMap<string, string>;
  /** With distances in place of addresses. */
  readonly formulas: ReadonlyMap<string, string>;
  readonly looks: ReadonlyMap<string, string>;
};

/**
 * The grid as text to be read and reviewed: a line for every row with its cells between bars, then the formulas,
 * each where it starts and how far it is filled, then how cells look.
 */
export const gridText = ({ setUp, values, formulas, looks }: Grid): string => {
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
    'looks',
    ...rangesOf(looks).map(([range, look]) => `  ${range} ${look}`),
    '',
  ].join('\n');
};

/** A grid from its text. */
export const parseGrid = (text: string): Grid => {
  const sections: Readonly<Record<string, string[]>> = { 'set-up': [], cells: [], formulas: [], looks: [] };
  let section: string[] = [];
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const begun = sections[line];
    if (begun) section = begun;
    else section.push(line.trimStart());
  }
  const values = new Map<string, string>();
  for (const line of sections['cells'] ?? []) {
    const [row, ...cells] = line.split(' | ');
    for (const [index, cell] of cells.entries())
      if (cell !== '') values.set(`${columnLetters(index + 1)}${row}`, unescaped(cell));
  }
  const formulas = new Map<string, string>();
  for (const [range, formula] of rangedLines(sections['formulas'], ' = ')) {
    const relative = relativeFormula(unescaped(formula), firstOf(range));
    for (const place of placesIn(range)) formulas.set(addressOf(place), relative);
  }
  const looks = new Map<string, string>();
  for (const [range, look] of rangedLines(sections['looks'], ' '))
    for (const place of placesIn(range)) looks.set(addressOf(place), look);
  return { setUp: (sections['set-up'] ?? []).map(unescaped), values, formulas, looks };
};

const rangedLines = (
  lines: readonly string[] = [],
  between: string,
): readonly (readonly [string, string])[] =>
  lines.map((line) => {
    const end = line.indexOf(between);
    return [line.slice(0, end), line.slice(end + between.length)];
  });

const firstOf = (range: string): Place => placeOf(range.split(':')[0] ?? '');

/** Bars and ends of lines that belong to a text. */
const escaped = (text: string): string =>
  text.replace(/[\\|\n\r]/g, (sign) => `\\${{ '\n': 'n', '\r': 'r' }[sign] ?? sign}`);

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, sign: string) => ({ n: '\n', r: '\r' })[sign] ?? sign);
