import { addressOf, columnLetters, type Place, placeOf } from './address.ts';
import { aligned, gapsIn, type Pair } from './aligned.ts';
import { compareLines } from './compare-lines.ts';
import { type Grid, parseGrid } from './grid.ts';
import { formulaAt } from './relative-formula.ts';

/** Every difference between two sheets, a line each: which row, which column, what it was and what it is. */
export const compareGrids = (wasText: string, isText: string): readonly string[] => {
  const [was, is] = [parseGrid(wasText), parseGrid(isText)];
  const pairs = rowPairs(rowsOf(was), rowsOf(is));
  return [
    ...pairs.flatMap((pair) => rowDifferences(pair, was, is)),
    ...compareLines(was.setUp.join('\n'), is.setUp.join('\n')).map((line) => `set-up ${line}`),
  ];
};

type Row = {
  readonly number: number;
  readonly columns: readonly number[];
  readonly label: string;
  /** What a person finds the row by. */
  readonly name: string;
  readonly content: string;
};

const rowsOf = (grid: Grid): readonly Row[] => {
  const used = new Map<number, number[]>();
  for (const address of new Set([...grid.values.keys(), ...grid.formulas.keys(), ...grid.looks.keys()])) {
    const { row, column } = placeOf(address);
    const columns = used.get(row) ?? [];
    columns.push(column);
    used.set(row, columns);
  }
  const rows = [...used]
    .sort(([a], [b]) => a - b)
    .map(([number, unsorted]) => {
      const columns = unsorted.sort((a, b) => a - b);
      const addresses = columns.map((column) => addressOf({ row: number, column }));
      const content = addresses.map((address, index) => {
        const parts = [grid.values, grid.formulas, grid.looks].map((part) => part.get(address) ?? '');
        return [columns[index], ...parts].join('\n');
      });
      const texts = addresses.flatMap((address) => grid.values.get(address) ?? []);
      return { number, columns, texts, content: content.join('\t') };
    });
  const names = namesOf(rows);
  return rows.map(({ texts, ...row }, index) => ({
    ...row,
    label: texts[0] ?? '',
    name: names[index] ?? '',
  }));
};

/** Of as many cells of a row as it takes to tell it from the others; its number where that would be too much. */
const NAMING_CELLS_MAX = 3;
const NAME_LENGTH_MAX = 60;

const namesOf = (rows: readonly { readonly number: number; readonly texts: readonly string[] }[]) => {
  const counts = new Map<string, number>();
  const startsOf = (texts: readonly string[]) =>
    texts.slice(0, NAMING_CELLS_MAX).map((_, index) => texts.slice(0, index + 1).join(', '));
  for (const start of rows.flatMap(({ texts }) => startsOf(texts)))
    counts.set(start, (counts.get(start) ?? 0) + 1);
  return rows.map(({ number, texts }) => {
    const name = startsOf(texts).find((start) => counts.get(start) === 1);
    return name === undefined || name.length > NAME_LENGTH_MAX ? `row ${number}` : `row ${quoted(name)}`;
  });
};

/** Rows that are the same, then rows of the same label, then rows that stand alone in the same place. */
const rowPairs = (was: readonly Row[], is: readonly Row[]): readonly Pair<Row>[] =>
  gapsIn(
    aligned(was, is, ({ content }) => content),
    (wasRows, isRows) =>
      gapsIn(
        aligned(wasRows, isRows, ({ label }) => label),
        (gone, added) =>
          gone.length === added.length
            ? gone.map((row, index) => ({ was: row, is: added[index] }))
            : [
                ...gone.map((row) => ({ was: row, is: undefined })),
                ...added.map((row) => ({ was: undefined, is: row })),
              ],
      ),
  );

const rowDifferences = (pair: Pair<Row>, was: Grid, is: Grid): readonly string[] => {
  if (!pair.was || !pair.is) {
    const [grid, row] = pair.was ? [was, pair.was] : [is, pair.is];
    return row ? [`${row.name} ${pair.was ? 'is gone' : 'is new'}: ${rowText(grid, row)}`] : [];
  }
  if (pair.was.content === pair.is.content) return [];
  const [wasRow, isRow] = [pair.was.number, pair.is.number];
  const columns = new Set([...pair.was.columns, ...pair.is.columns]);
  const { name } = pair.was;
  return [...columns]
    .sort((a, b) => a - b)
    .flatMap((column) => {
      const [before, now] = [addressOf({ row: wasRow, column }), addressOf({ row: isRow, column })];
      const place = `${name}, ${columnName(is, isRow, column)}`;
      return [
        differenceOf(was.values.get(before), is.values.get(now), place),
        formulaDifference(
          was.formulas.get(before),
          is.formulas.get(now),
          placeOf(before),
          placeOf(now),
          place,
        ),
        differenceOf(was.looks.get(before), is.looks.get(now), `${place}, look`),
      ].filter((difference) => difference !== '');
    });
};

const differenceOf = (was: string | undefined, is: string | undefined, place: string): string =>
  was === is ? '' : `${place}: was ${was ?? 'empty'}, is ${is ?? 'empty'}`;

const formulaDifference = (
  was: string | undefined,
  is: string | undefined,
  before: Place,
  now: Place,
  place: string,
): string =>
  was === is
    ? ''
    : differenceOf(was && formulaAt(was, before), is && formulaAt(is, now), `${place}, formula`);

/** The title above a cell: the nearest cell above it that looks like a heading. */
const columnName = ({ values, looks }: Grid, row: number, column: number): string => {
  for (let above = row - 1; above > 0; above -= 1) {
    const address = addressOf({ row: above, column });
    const title = values.get(address);
    if (title !== undefined && looks.get(address)?.includes('heading fill')) return `column ${quoted(title)}`;
  }
  return `column ${columnLetters(column)}`;
};

const rowText = (grid: Grid, { number, columns }: Row): string =>
  columns.flatMap((column) => grid.values.get(addressOf({ row: number, column })) ?? []).join(' | ');

const quoted = (text: string): string => (text.startsWith('"') ? text : `"${text}"`);
