import { DefectError } from '../kernel/errors.ts';
import type { Format, FormatValues } from './format.ts';

/** A live formula together with the result it must recalculate to. */
export type Formula<Value> = { readonly formula: FormulaText; readonly result: Value | undefined };

/** A value, a formula with its cached result, or a blank. */
export type Cell<F extends Format> = FormatValues[F] | Formula<FormatValues[F]> | undefined;

/** `attention` asks for a person, `good` confirms. Both show as a colour *and* as a sign before the value. */
export type Flag = 'attention' | 'good';

export const formula = <Value>(text: FormulaText, result: Value): Formula<Value> => ({
  formula: text,
  result,
});

export const isFormula = (cell: unknown): cell is Formula<unknown> =>
  typeof cell === 'object' && cell !== null && 'formula' in cell;

/** Returns the value that a cell shows: its own, or the cached result of its formula. Empty text counts as blank. */
export const shownValue = (cell: unknown): unknown => {
  const value = isFormula(cell) ? cell.result : cell;
  return value === '' || value === null ? undefined : value;
};

/**
 * The vocabulary in which a sheet definition writes formulas. Everything becomes a structured reference or a defined
 * name, `SUMIFS(Detail[Collected],Detail[State],By_state[[#This Row],[State]])`, so that a formula reads like a
 * sentence. A test finds columns and names of the books that do not exist.
 */
export type References = ReturnType<typeof referencesFor>;

/** Column title to formula fragment: `{ State: at.cell('State'), Status: quoted('open') }`. */
export type Criteria = Readonly<Record<string, string>>;

/** A formula without its `=`. */
export type FormulaText = (at: References) => string;

/** The properties of a table that formulas use. */
export type TableShape = {
  /** The column with the number of items that a row counts for; without it, each row counts as one. */
  readonly countedBy?: string | undefined;
  /** Address of a cell with its sheet, by column title and row counting from 0; `undefined` if it does not exist. */
  readonly addressOf: (title: string, row: number) => string | undefined;
  /** The cells of a column, as a structured reference. */
  readonly rangeOf: (title: string) => string;
};

/** The tables of a workbook by name; those without rows are left out, and every sum over one is nothing. */
export type Vocabulary = ReadonlyMap<string, TableShape | typeof LEFT_OUT>;

export const LEFT_OUT = 'left out';

/** A literal text in a formula. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * @param own The table that contains the formula
 * @throws {DefectError} for a table or a row that the workbook does not have.
 */
export const referencesFor = (vocabulary: Vocabulary, own: string) => {
  const find = (table: string): TableShape => {
    const shape = vocabulary.get(table);
    if (!shape || shape === LEFT_OUT)
      throw new DefectError(`a formula refers to the table ${table}, which is not in the workbook`);
    return shape;
  };
  /** Writes a sum over a table; `0` over one that is left out. */
  const over = (table: string, write: (shape: TableShape) => string): string =>
    vocabulary.get(table) === LEFT_OUT ? '0' : write(find(table));
  return {
    /** The cell of a column in the formula's own table and row. */
    cell: (title: string): string => `${own}[[#This Row],[${title}]]`,
    /**
     * One cell by its row's position, counting from 0: for tables whose rows are lines of a form that depend on others.
     */
    cellAt: (table: string, title: string, row: number): string => {
      const address = find(table).addressOf(title, row);
      if (address === undefined) throw new DefectError(`${table} has no row ${row}`);
      return address;
    },
    /** A whole column. */
    column: (table: string, title: string): string => find(table).rangeOf(title),
    /** Sum of a column over all rows, filtered or not. */
    sum: (table: string, title: string): string => over(table, (shape) => `SUM(${shape.rangeOf(title)})`),
    /** Sum of a column over the rows whose other columns equal the given formula fragments. */
    sumIfs: (table: string, title: string, where: Criteria): string =>
      over(table, (shape) => sumWhere(shape, title, where)),
    countIfs: (table: string, where: Criteria): string =>
      over(table, (shape) =>
        shape.countedBy === undefined
          ? `COUNTIFS(${pairs(shape, where)})`
          : sumWhere(shape, shape.countedBy, where),
      ),
    /** Number of cells of a column that are not zero. A blank cell is zero here, and `<>0` to COUNTIFS. */
    countNonZero: (table: string, title: string): string =>
      over(table, (shape) => `SUMPRODUCT(--(${shape.rangeOf(title)}<>0))`),
    /** The difference of two fragments, rounded to the cent, without the residue of adding binary fractions. */
    difference: (left: string, right: string): string => `ROUND(${left}-${right},2)`,
  };
};

const sumWhere = (shape: TableShape, title: string, where: Criteria): string =>
  `SUMIFS(${shape.rangeOf(title)},${pairs(shape, where)})`;

const pairs = ({ rangeOf }: TableShape, where: Criteria): string =>
  Object.entries(where)
    .map(([title, criterion]) => `${rangeOf(title)},${criterion}`)
    .join(',');
