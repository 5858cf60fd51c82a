import { DefectError } from '../../../kernel/errors.ts';
import { type AnyCell, type Formula, isFormula, shownValue } from '../../workbook/cell.ts';
import type { Column, TableSheet } from '../../workbook/sheet.ts';
import type { PageCell, PageColumn, PageTable } from './page-table.ts';

/** What the page adds to a sheet, and what it leaves out. */
type OnPage<Row> = Pick<PageTable<Row>, 'id' | 'caption' | 'rowId'> & {
  /** Titles of columns that the page leaves to the workbook. */
  readonly without?: readonly string[];
  /** What the exceptions are searched for from the cells of a column, by its title. */
  readonly searches?: Readonly<Record<string, (row: Row) => string>>;
  /** Columns behind those of the sheet. */
  readonly more?: readonly PageColumn<Row>[];
};

/** A table of the page with the columns of a sheet. Its rows are searched for by their words of state, as in `state=TX`. */
export const sheetTable = <Row>(
  { columns }: Pick<TableSheet<Row>, 'columns'>,
  rows: readonly Row[],
  { without = [], searches = {}, more = [], ...table }: OnPage<Row>,
): PageTable<Row> => {
  const titles = columns.map(({ title }) => title);
  const unknown = [...without, ...Object.keys(searches)].find((title) => !titles.includes(title));
  if (unknown !== undefined) throw new DefectError(`the sheet of ${table.id} has no column ${unknown}`);
  const keyed = columns.filter(({ format, title }) => format === 'status' && !title.includes(' '));
  return {
    ...table,
    rows,
    keys: (row) =>
      Object.fromEntries(
        keyed.map((column) => [column.title.toLowerCase(), String(shownValue(column.value(row)) ?? '')]),
      ),
    columns: [
      ...columns.filter(({ title }) => !without.includes(title)).map((each) => pageColumn(each, searches)),
      ...more,
    ],
  };
};

const pageColumn = <Row>(
  column: Column<Row>,
  searches: Readonly<Record<string, (row: Row) => string>>,
): PageColumn<Row> => {
  const search = searches[column.title];
  return {
    title: column.title,
    cell: (row) =>
      pageCell(
        column.format === 'mixed'
          ? column.value(row)
          : ({ format: column.format, value: column.value(row) } as AnyCell),
      ),
    ...(search && { link: (row) => ({ href: '#exceptions', search: search(row) }) }),
  };
};

/** A cell of a sheet as the page has it. */
const pageCell = (cell: AnyCell | undefined): PageCell => {
  switch (cell?.format) {
    case 'money':
    case 'change':
      return figureOf(cell.value, (amount) => ({ amount }));
    case 'rate':
    case 'percent':
      return figureOf(cell.value, (percent) => ({ percent }));
    case 'count':
      return figureOf(cell.value, (count) => ({ count }));
    default:
      return nameOrText(String(shownValue(cell?.value) ?? ''));
  }
};

const figureOf = <Value>(
  cell: Value | Formula<Value> | undefined,
  figure: (value: Value) => PageCell,
): PageCell => {
  const value = isFormula(cell) ? (cell as Formula<Value>).result : cell;
  return value === undefined ? '' : figure(value);
};

/** A word of several parts may be broken between them. */
const nameOrText = (text: string): PageCell => (/^\S+[/_-]\S+$/.test(text) ? { name: text } : text);
