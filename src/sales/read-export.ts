import type { Detected } from './detect-profile.ts';
import { ifStated, type TextExpression } from './expression.ts';
import type { SalesProfile } from './profile.ts';
import { type ReadRecord, type SaleContext, saleReader } from './read-sale.ts';
import type { RowReader } from './row-reader.ts';
import type { SaleFinding, SetAside } from './sale.ts';
import type { Shape } from './sale-map.ts';
import { type RowGroup, type StrayReason, strayFinding, type TableRow } from './table-row.ts';

/** A record with the rows it was read from. */
export type ReadGroup = {
  readonly group: RowGroup;
  readonly record: ReadRecord;
};

type ReadingOptions = {
  /** Number of records per batch; it may be exceeded slightly, and the last batch may have fewer. */
  readonly batchSize: number;
  /**
   * Called with every row below the header as it is read. When a batch is yielded, these are the rows of that batch and
   * of all earlier ones.
   */
  readonly onRow?: ((row: TableRow) => void) | undefined;
};

/**
 * Read the records of an export in order, in batches. Every row below the header is in exactly one record: footers and
 * repeated headers are ignored records of their own.
 *
 * @param profile with the date and amount formats already proved
 */
export async function* readExport(
  { header, rows, framingOf }: Detected,
  profile: SalesProfile,
  context: SaleContext,
  { batchSize, onRow }: ReadingOptions,
): AsyncGenerator<readonly ReadGroup[]> {
  const reader = saleReader(profile, header, context);
  let batch: ReadGroup[] = [];
  let framing: ReadGroup[] = [];
  const addFraming = (): void => {
    if (framing.length === 0) return;
    batch.push(...framing);
    framing = [];
  };
  const grouper = rowGrouper(
    header.length,
    profile.shape,
    profile.map.line?.present,
    reader.cells,
    (group) => {
      batch.push({ group, record: reader.read(group) });
      addFraming();
    },
  );
  for await (const some of rows()) {
    for (const row of some) {
      const reason = framingOf(row);
      if (!reason && grouper.add(row) && batch.length >= batchSize) {
        yield batch;
        batch = [];
      }
      if (reason) framing.push(framingGroup(row, reason, context.file));
      onRow?.(row);
    }
  }
  grouper.end();
  addFraming();
  if (batch.length > 0) yield batch;
}

const framingGroup = (row: TableRow, reason: SaleFinding, file: string): ReadGroup => {
  const record: SetAside = {
    outcome: 'ignored',
    origin: { file, line: row.line, record: '' },
    rows: [row],
    reason,
    businessDate: null,
  };
  return { group: { name: '', rows: [row], stray: reason }, record };
};

/** Maximum number of rows of one record. With more, the key identifies nothing. */
const RECORD_ROWS_MAX = 20_000;

/** Rows that make up one group, as far as they were read. A stray row is one by itself. */
type Open = Pick<RowGroup, 'name' | 'store'> & {
  readonly key: string;
  readonly isStray: boolean;
  rows: TableRow[];
  broken: StrayReason | undefined;
};

/** How a row relates to the open record: it continues it, opens another one, or belongs to none. */
type Step = 'continues' | 'opens' | 'stray';

/**
 * Group the rows of each record by the shape of the export. Only adjacent rows are grouped: if a record appears again
 * later, its content decides whether it is a duplicate or a conflict.
 */
export const rowGrouper = (
  width: number,
  shape: Shape,
  linePresent: TextExpression | undefined,
  read: RowReader,
  give: (group: RowGroup) => void,
) => {
  const stepOf = stepping(shape, linePresent, read);
  const keyOf = read.texts(shape.key, '\u0001');
  const [leadColumn = ''] = shape.key;
  const leadOf = read.text(leadColumn);
  const nameOf = read.text((shape.kind === 'line-repeat' && shape.name) || leadColumn);
  const storeOf = shape.kind === 'line-repeat' ? ifStated(shape.store, read.text) : undefined;
  const differ = differing(shape.kind === 'line-repeat' ? shape.orderColumns : [], read);
  let last: Open | undefined;

  const end = (): void => {
    if (last) give(groupOf(last, width));
    last = undefined;
  };

  /** Adds the next row; returns whether it begins a group, in which case all rows before it have been passed on. */
  const add = (row: TableRow): boolean => {
    const key = keyOf(row);
    const open = last?.isStray ? undefined : last;
    const step = stepOf(open, row, leadOf(row), key);
    const wholeRow = row.cells.length === width;
    if (step === 'continues' && open) {
      if (open.rows.length >= RECORD_ROWS_MAX) {
        open.broken = 'too-many-rows';
        give(groupOf(open, width));
        open.rows = [];
      }
      const first = open.rows[0] ?? row;
      open.rows.push(row);
      if (!wholeRow) open.broken = 'cell-count';
      else if (!open.broken && differ(first, row)) open.broken = 'order-cells-differ';
      return false;
    }
    end();
    const isStray = step !== 'opens';
    const fault = isStray ? 'orphan-row' : undefined;
    const broken = wholeRow ? fault : 'cell-count';
    last = {
      name: nameOf(row),
      store: storeOf?.(row),
      key,
      isStray,
      rows: [row],
      broken,
    };
    return true;
  };
  return { add, end };
};

const groupOf = ({ name, store, rows, broken }: Open, width: number): RowGroup => {
  const stray = broken && strayFinding(broken, rows, width);
  return { name, store, rows, stray };
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
  const headOf = read.text(shape.head);
  const lineOf = read.text(linePresent ?? shape.head);
  const cells = shape.orderColumns.map(read.text);
  return (open, row, name) => {
    const hasHead = headOf(row) !== '';
    const first = open?.name === name ? open.rows[0] : undefined;
    if (first) {
      if (!hasHead) return 'continues';
      // Some re-exports repeat the order cells on every row; an identical row is the same order again.
      const isOtherLine = lineOf(row) !== lineOf(first);
      if (isOtherLine && cells.every((cell) => cell(row) === cell(first))) return 'continues';
    }
    return hasHead && name !== '' ? 'opens' : 'stray';
  };
};

/** Whether rows differ in the order's cells. Blank cells do not count: some exports fill them only on the first row. */
const differing = (columns: readonly string[], read: RowReader) => {
  const cells = columns.map(read.text);
  return (first: TableRow, row: TableRow): boolean =>
    cells.some((cell) => {
      const text = cell(row);
      return text !== '' && text !== cell(first);
    });
};
