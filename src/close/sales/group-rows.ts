import type { TableRow } from './files/table-row.ts';
import type { TextExpression } from './profile/expression.ts';
import type { Shape } from './profile/shape.ts';
import type { RowReader } from './row-view.ts';

/** The rows of one record, first row first; or rows that belong to no record, with the reason. */
export type RowGroup =
  | { readonly kind: 'record'; readonly name: string; readonly rows: readonly TableRow[] }
  | {
      readonly kind: 'stray';
      readonly name: string;
      readonly rows: readonly TableRow[];
      readonly reason: StrayReason;
    };

export type StrayReason = 'orphan-row' | 'cell-count' | 'order-cells-differ' | 'too-many-rows';

/** Rows that one record may have. More of them are a key that means nothing, not a sale. */
const RECORD_ROWS_MAX = 20_000;

type Open = {
  readonly name: string;
  readonly key: string;
  rows: TableRow[];
  broken: StrayReason | undefined;
};

/** What a row is to the record that is open: more of it, the first of another one, or nothing at all. */
type Step = 'continues' | 'opens' | 'stray';

/**
 * Put the rows of one record together, as the shape of the export says. Only rows that stand next to each other
 * come together: a record that comes back later is a duplicate or a conflict, and told apart by its content.
 */
export async function* groupRows(
  rows: AsyncIterable<TableRow>,
  width: number,
  shape: Shape,
  linePresent: TextExpression | undefined,
  read: RowReader,
): AsyncGenerator<RowGroup> {
  const stepOf = stepping(shape, linePresent, read);
  const keyOf = keyReader(shape.key, read);
  const [leadColumn = ''] = shape.key;
  const nameColumn = (shape.kind === 'line-repeat' && shape.name) || leadColumn;
  const orderColumns = shape.kind === 'line-repeat' ? shape.orderColumns : [];
  let open: Open | undefined;

  for await (const row of rows) {
    const name = read.text(row, nameColumn);
    const key = keyOf(row);
    const step = stepOf(open, row, read.text(row, leadColumn), key);
    const wholeRow = row.cells.length === width;
    if (step === 'continues' && open) {
      if (open.rows.length >= RECORD_ROWS_MAX) {
        open.broken = 'too-many-rows';
        yield groupOf(open);
        open.rows = [];
      }
      const first = open.rows[0] ?? row;
      open.rows.push(row);
      if (!wholeRow) open.broken = 'cell-count';
      else if (!open.broken && !sameOrBlank(first, row, orderColumns, read))
        open.broken = 'order-cells-differ';
      continue;
    }
    if (open) yield groupOf(open);
    open = undefined;
    if (step === 'opens') open = { name, key, rows: [row], broken: wholeRow ? undefined : 'cell-count' };
    else yield { kind: 'stray', name, rows: [row], reason: wholeRow ? 'orphan-row' : 'cell-count' };
  }
  if (open) yield groupOf(open);
}

const groupOf = ({ name, rows, broken }: Open): RowGroup =>
  broken === undefined ? { kind: 'record', name, rows } : { kind: 'stray', name, rows, reason: broken };

const keyReader = (columns: readonly string[], read: RowReader): ((row: TableRow) => string) => {
  const [only, ...others] = columns;
  if (only !== undefined && others.length === 0) return (row) => read.text(row, only);
  return (row) => {
    let key = '';
    for (const column of columns) key += `${read.text(row, column)}\u0001`;
    return key;
  };
};

type Stepping = (open: Open | undefined, row: TableRow, lead: string, key: string) => Step;

const stepping = (shape: Shape, linePresent: TextExpression | undefined, read: RowReader): Stepping => {
  if (shape.kind === 'order-per-row') return () => 'opens';
  if (shape.kind === 'line-repeat') {
    return (open, _row, lead, key) => (lead !== '' && open?.key === key ? 'continues' : 'opens');
  }
  if (shape.kind === 'jurisdiction') {
    return (open, _row, lead, key) => {
      if (open && (lead === '' || open.key === key)) return 'continues';
      return lead === '' ? 'stray' : 'opens';
    };
  }
  const { head, orderColumns } = shape;
  const line = linePresent ?? head;
  return (open, row, name) => {
    const hasHead = read.text(row, head) !== '';
    const first = open?.name === name ? open.rows[0] : undefined;
    if (first) {
      if (!hasHead) return 'continues';
      // Some re-exports repeat the order cells on every row; the same row again is the same order again.
      const isOtherLine = read.text(row, line) !== read.text(first, line);
      if (isOtherLine && sameCells(first, row, orderColumns, read)) return 'continues';
    }
    return hasHead && name !== '' ? 'opens' : 'stray';
  };
};

const sameCells = (first: TableRow, row: TableRow, columns: readonly string[], read: RowReader): boolean =>
  columns.every((column) => read.text(row, column) === read.text(first, column));

/** Some exports leave what they say of the whole order blank behind its first row. */
const sameOrBlank = (first: TableRow, row: TableRow, columns: readonly string[], read: RowReader): boolean =>
  columns.every((column) => {
    const text = read.text(row, column);
    return text === '' || text === read.text(first, column);
  });
