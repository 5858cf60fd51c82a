import type { SalesProfile } from './profile.ts';
import type { TableRow } from './read-table.ts';
import type { RowReader } from './row-view.ts';

/** The rows of one record, first row first; or rows that belong to no record, with the reason. */
export type RowGroup =
  | { readonly kind: 'record'; readonly name: string; readonly rows: readonly TableRow[] }
  | {
      readonly kind: 'stray';
      readonly name: string;
      readonly rows: readonly TableRow[];
      readonly reason: string;
    };

/**
 * Put the rows of one order together. A row opens a record when its head cell is filled; the rows behind it with
 * the same key and blank head cell continue it. Some re-exports repeat the order cells on every row: a row with the
 * same key and equal order cells but another line item continues the record too.
 */
export async function* groupRows(
  rows: AsyncIterable<TableRow>,
  width: number,
  shape: SalesProfile['shape'],
  linePresent: string,
  read: RowReader,
): AsyncGenerator<RowGroup> {
  let open: { readonly name: string; readonly rows: TableRow[]; broken: boolean } | undefined;

  const close = (): RowGroup[] => {
    if (!open) return [];
    const { name, rows: own, broken } = open;
    open = undefined;
    return [
      broken ? { kind: 'stray', name, rows: own, reason: 'cell-count' } : { kind: 'record', name, rows: own },
    ];
  };

  const continues = (row: TableRow, name: string): boolean => {
    const [first] = open?.rows ?? [];
    if (!open || !first || open.name !== name) return false;
    if (read.text(row, shape.head) === '') return true;
    const sameOrder = shape.orderColumns.every(
      (column) => read.text(row, column) === read.text(first, column),
    );
    const otherLine = read.text(row, linePresent) !== read.text(first, linePresent);
    return sameOrder && otherLine;
  };

  for await (const row of rows) {
    const name = read.text(row, shape.key);
    const wholeRow = row.cells.length === width;
    if (open && continues(row, name)) {
      open.rows.push(row);
      open.broken ||= !wholeRow;
    } else if (read.text(row, shape.head) === '' || name === '') {
      yield* close();
      yield { kind: 'stray', name, rows: [row], reason: wholeRow ? 'orphan-row' : 'cell-count' };
    } else {
      yield* close();
      open = { name, rows: [row], broken: !wholeRow };
    }
  }
  yield* close();
}
