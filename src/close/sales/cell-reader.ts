import { normalColumn } from './files/normal-column.ts';
import type { TableRow } from './files/table-row.ts';
import { withoutEntities } from './html-entities.ts';
import type { MoneyForm } from './profile/locale.ts';

export type RowForm = {
  readonly money?: MoneyForm;
  readonly nullTokens?: readonly string[];
  readonly headerAliases?: Readonly<Record<string, string>>;
};

export type CellReader = {
  readonly indexOf: (column: string) => number;
  readonly text: (row: TableRow, column: string) => string;
  /** The places of numbered columns. */
  readonly numbered: (pattern: string) => readonly string[];
};

export const cellReader = (
  header: readonly string[],
  { nullTokens = [], headerAliases = {} }: RowForm,
): CellReader => {
  const aliases = new Map(
    Object.entries(headerAliases).map(([from, to]) => [normalColumn(from), normalColumn(to)]),
  );
  const places = new Map<string, number>();
  header.forEach((cell, index) => {
    const name = normalColumn(cell);
    if (!places.has(name)) places.set(name, index);
    const alias = aliases.get(name);
    if (alias !== undefined && !places.has(alias)) places.set(alias, index);
  });
  const nothing = new Set(nullTokens);
  const known = new Map<string, number>();
  const families = new Map<string, readonly string[]>();

  const indexOf = (column: string): number => {
    let index = known.get(column);
    if (index === undefined) {
      index = places.get(normalColumn(column)) ?? -1;
      known.set(column, index);
    }
    return index;
  };
  const text = (row: TableRow, column: string): string => {
    const cell = row.cells[indexOf(column)];
    if (cell === undefined || cell === '') return '';
    const value = withoutEntities(unguarded(cell.trim()));
    return nothing.has(value) ? '' : value;
  };
  const numbered = (pattern: string): readonly string[] => {
    let columns = families.get(pattern);
    if (columns === undefined) {
      columns = numberedColumns([...places.keys()], normalColumn(pattern)).map(([, column]) => column);
      families.set(pattern, columns);
    }
    return columns;
  };
  return { indexOf, text, numbered };
};

/** The columns of a numbered family such as `Tax # Value`, by their number. */
export const numberedColumns = (
  columns: readonly string[],
  pattern: string,
): readonly (readonly [number, string])[] => {
  const [before = '', after = ''] = pattern.split('#');
  return columns
    .filter((column) => column.startsWith(before) && column.endsWith(after))
    .map((column) => [column.slice(before.length, column.length - after.length), column] as const)
    .filter(([number]) => /^\d{1,4}$/.test(number))
    .map(([number, column]) => [Number(number), column] as const)
    .sort(([left], [right]) => left - right);
};

/** Reject files, and careful people, put an apostrophe before what a spreadsheet would take for a formula. */
const unguarded = (text: string): string =>
  text.charCodeAt(0) === 39 && /^'[=+\-@]/.test(text) ? text.slice(1) : text;
