import { DefectError } from '../../kernel/errors.ts';
import type { Format } from './format.ts';

/**
 * The vocabulary in which a sheet definition writes formulas. Everything becomes a structured reference or a defined
 * name, `SUMIFS(Detail[Collected],Detail[State],By_state[[#This Row],[State]])`, so that a formula reads like a
 * sentence. Everything is checked, so that a misspelt table, column or name fails when the file is written.
 *
 * Over a table that is split into several sheets, sums add up its parts.
 */
export type References = {
  /** The cell of a column in the formula's own table and row. */
  cell(title: string): string;
  /**
   * One cell by its row's position, counting from 0: for tables whose rows are lines of a form that depend on others.
   */
  cellAt(table: string, title: string, row: number): string;
  /** A whole column. Only for a table that is never split. */
  column(table: string, title: string): string;
  /** Sum of a column over all rows, filtered or not. */
  sum(table: string, title: string): string;
  /** Number of rows. */
  rows(table: string): string;
  /** Sum of a column over the rows whose other columns equal the given formula fragments. */
  sumIfs(table: string, title: string, where: Criteria): string;
  countIfs(table: string, where: Criteria): string;
  /** Number of cells of a column that are not zero. A blank cell is zero here, and `<>0` to COUNTIFS. */
  countNonZero(table: string, title: string): string;
  /** The difference of two fragments, rounded to the cent, without the residue of adding binary fractions. */
  difference(left: string, right: string): string;
  /** A defined name. */
  name(name: string): string;
};

/** Column title to formula fragment: `{ State: at.cell('State'), Status: quoted('open') }`. */
export type Criteria = Readonly<Record<string, string>>;

/** A formula without its `=`; a function if it refers to cells or names. */
export type FormulaText = string | ((at: References) => string);

/** The properties of a table that formulas use. */
export type TableShape = {
  /** Format by column title, in order; the first column is never blank. */
  readonly columns: ReadonlyMap<string, Format | 'mixed'>;
  /** The column with the number of items that a row counts for; without it, each row counts as one. */
  readonly countedBy?: string | undefined;
  /** Names of the tables that it is split into; usually only its own. */
  readonly parts: readonly string[];
  /** Address of a cell with its sheet, by column title and row counting from 0; `undefined` if it does not exist. */
  readonly addressOf?: (title: string, row: number) => string | undefined;
  /** The cells of a column of a plain table, which has no structured references. */
  readonly rangeOf?: (title: string) => string;
};

export type Vocabulary = {
  readonly tables: ReadonlyMap<string, TableShape>;
  readonly names: ReadonlySet<string>;
};

/** A literal text in a formula. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

export const resolveFormula = (text: FormulaText, at: References): string =>
  typeof text === 'string' ? text : text(at);

/** @param own The table that contains the formula; without one, `cell` is not available. */
export const referencesFor = (vocabulary: Vocabulary, own?: string, ownPart?: string): References => {
  const find = (table: string, titles: readonly string[]): TableShape => {
    const shape = vocabulary.tables.get(table);
    if (!shape) throw new DefectError(`a formula refers to the table ${table}, which is not in the workbook`);
    const unknown = titles.find((title) => !shape.columns.has(title));
    if (unknown !== undefined) {
      throw new DefectError(`a formula refers to ${table}[${unknown}], but ${table} has no such column`);
    }
    return shape;
  };
  const overParts = (shape: TableShape, term: (part: string) => string): string =>
    shape.parts.length === 1
      ? term(shape.parts[0] ?? '')
      : `(${shape.parts.map((part) => term(part)).join('+')})`;

  return {
    cell: (title) => {
      if (own === undefined)
        throw new DefectError(`${title} is a cell of a row, and this formula is in none`);
      find(own, [title]);
      return `${ownPart ?? own}[[#This Row],[${title}]]`;
    },
    cellAt: (table, title, row) => {
      const address = find(table, [title]).addressOf?.(title, row);
      if (address === undefined) throw new DefectError(`${table} has no row ${row}`);
      return address;
    },
    column: (table, title) => {
      const { parts } = find(table, [title]);
      if (parts.length > 1) {
        throw new DefectError(`${table} is split over ${parts.length} sheets: use sum, sumIfs or countIfs`);
      }
      return columnOf(find(table, [title]), table, title);
    },
    sum: (table, title) => {
      const shape = find(table, [title]);
      return overParts(shape, (part) => `SUM(${columnOf(shape, part, title)})`);
    },
    rows: (table) => {
      const shape = find(table, []);
      const [key = ''] = shape.columns.keys();
      return overParts(shape, (part) => `COUNTA(${columnOf(shape, part, key)})`);
    },
    sumIfs: (table, title, where) => {
      const shape = find(table, [title, ...Object.keys(where)]);
      return overParts(shape, (part) => sumWhere(shape, part, title, where));
    },
    countIfs: (table, where) => {
      const shape = find(table, Object.keys(where));
      const { countedBy } = shape;
      return overParts(shape, (part) =>
        countedBy === undefined ? countWhere(shape, part, where) : sumWhere(shape, part, countedBy, where),
      );
    },
    countNonZero: (table, title) => {
      const shape = find(table, [title]);
      return overParts(shape, (part) => `SUMPRODUCT(--(${columnOf(shape, part, title)}<>0))`);
    },
    difference: (left, right) => `ROUND(${left}-${right},2)`,
    name: (name) => {
      if (!vocabulary.names.has(name)) {
        throw new DefectError(`a formula refers to the name ${name}, which is not defined`);
      }
      return name;
    },
  };
};

const columnOf = ({ rangeOf }: TableShape, part: string, title: string): string =>
  rangeOf ? rangeOf(title) : `${part}[${title}]`;

/**
 * Excel's SUMIFS treats a criterion that looks like a number as a number: `06037` also matches `6037`, while
 * LibreOffice matches only `06037`. Identifiers are therefore compared as text, with SUMPRODUCT.
 */
const comparesIdentifiers = (shape: TableShape, where: Criteria): boolean =>
  Object.keys(where).some((title) => shape.columns.get(title) === 'id');

const sumWhere = (shape: TableShape, part: string, title: string, where: Criteria): string =>
  comparesIdentifiers(shape, where)
    ? `SUMPRODUCT(${equalities(shape, part, where)},${columnOf(shape, part, title)})`
    : `SUMIFS(${columnOf(shape, part, title)},${pairs(shape, part, where)})`;

const countWhere = (shape: TableShape, part: string, where: Criteria): string =>
  comparesIdentifiers(shape, where)
    ? `SUMPRODUCT(${equalities(shape, part, where)})`
    : `COUNTIFS(${pairs(shape, part, where)})`;

const pairs = (shape: TableShape, part: string, where: Criteria): string =>
  Object.entries(where)
    .map(([title, criterion]) => `${columnOf(shape, part, title)},${criterion}`)
    .join(',');

const equalities = (shape: TableShape, part: string, where: Criteria): string =>
  Object.entries(where)
    .map(([title, criterion]) => `--(${columnOf(shape, part, title)}=${criterion})`)
    .join(',');
