import { ZERO } from '../../../../kernel/money.ts';
import type { TableRow } from '../../../sales/files/table-row.ts';
import type { RowGroup } from '../../../sales/group-rows.ts';
import type { ReadGroup } from '../../../sales/read-export.ts';
import type { ReadOrder, ReadRecord } from '../../../sales/read-sale.ts';
import { isSameName, serviceId } from '../../../sales/record-id.ts';
import type { Sale, SetAside } from '../../../sales/sale.ts';
import { putSales, removeSales, type SaleWithText } from '../../../workspace/put-sales.ts';
import { saleRow, setAsideRow } from '../../../workspace/sale-rows.ts';
import type { RefundDateRow, SaleRow, SetAsideRow } from '../../../workspace/tables.ts';
import type { WorkspaceQueries } from '../../../workspace/workspace.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';
import { controlsText } from '../reading/figures.ts';
import { type KnownSale, knownSales, seenSales } from '../reading/known-sales.ts';
import type { OpenExport } from '../reading/open-export.ts';
import { asPart, furtherParts, saleOfRecord } from '../reading/record-parts.ts';
import { repaymentCounter } from '../refunds/repayment-rows.ts';

/**
 * Prepare what one batch of a file comes to; gives the writing of it. What the newest file says of a record holds: it
 * replaces what earlier files and loads said, and a record that is set aside now is not a sale any more. A second place in
 * the same file is a duplicate when it says the same, and a conflict when it does not.
 */
export const prepareBatch = async (
  load: OpenLoad,
  { profile, meter, file }: Pick<OpenExport, 'profile' | 'meter'> & { readonly file: number },
  batch: readonly ReadGroup[],
  { conflicts, outsideGaps }: Ambiguous,
): Promise<() => Promise<void>> => {
  const { workspace } = load;
  const { tables } = workspace;
  const hasParts = profile.shape.parts;
  const known = await knownSales(
    load,
    batch.map(({ group, record }) => keyOf(load, group, record)),
    tables,
  );
  for (const { key, load: seenBy } of known.values()) if (seenBy === load.earlier) outsideGaps.add(key);
  if (hasParts) await addParts(load, batch, known, tables);
  const seen = new Map(await seenSales(load, known, tables));
  const before = new Map(known);
  const drafts: Drafts = {
    file,
    known,
    seen,
    sales: new Map(),
    asides: [],
    gone: [],
    repayments: [],
    conflicts,
  };
  for (const { group, record: found } of batch) {
    const record = hasParts ? withPart(load, found, [...known.values(), ...rowsOf(drafts)]) : found;
    const key = keyOf(load, group, record);
    const place = { key, group, controls: controlsText(meter.of(group.rows)) };
    if ('outcome' in record) setAside(load, drafts, record, { ...place, hasParts });
    else putSale(load, drafts, record, place);
  }
  const { sales, asides, gone, repayments } = drafts;
  return () =>
    workspace.together(async (within) => {
      // What is gone may have come back later in the batch, so it goes first.
      await removeSales(workspace, gone, within);
      await putSales(workspace, [...sales.values()], within, before);
      await workspace.upsert('set_aside', asides, within);
      await workspace.upsert('refund_date', repayments, within);
    });
};

/** Keys of records that stand in several places. They grow from batch to batch. */
export type Ambiguous = {
  /** Those that come twice in a file and say different things. */
  readonly conflicts: Set<string>;
  /** Those that stand in what is not read again as well. */
  readonly outsideGaps: Set<string>;
};

/** What a batch comes to. `conflicts` goes on growing from batch to batch. */
type Drafts = {
  /** The place of the file in the order of reading. */
  readonly file: number;
  /** What earlier batches and loads said, as far as it still holds. */
  readonly known: Map<string, KnownSale>;
  /** Those of which this load, or this batch, said something already. */
  readonly seen: Map<string, Sale>;
  readonly sales: Map<string, SaleWithText>;
  readonly asides: SetAsideRow[];
  readonly gone: string[];
  readonly repayments: RefundDateRow[];
  readonly conflicts: Set<string>;
};

const rowsOf = ({ sales }: Drafts): readonly SaleRow[] => [...sales.values()].map(({ row }) => row);

type RecordPlace = { readonly key: string; readonly group: RowGroup; readonly controls: string };

const setAside = (
  load: OpenLoad,
  { known, seen, sales, asides, gone, conflicts }: Drafts,
  record: SetAside,
  { key, group, controls, hasParts }: RecordPlace & { readonly hasParts: boolean },
): void => {
  asides.push(
    setAsideRow(ownerOf(load), record, {
      // Of a record in parts the key alone does not tell which part it would be.
      key: group.name === '' || hasParts ? '' : key,
      controls,
    }),
  );
  const earlier = sales.get(key)?.row ?? known.get(key);
  if (!earlier || group.kind !== 'record' || hasParts) return;
  const said = earlier.load === load.number ? (seen.get(key) as Sale) : undefined;
  if (said?.origin.file === record.origin.file) {
    conflicts.add(key);
    return;
  }
  gone.push(key);
  known.delete(key);
  if (said) asides.push(superseded(load, earlier, said, record.origin));
};

const putSale = (
  load: OpenLoad,
  { file, known, seen, sales, asides, repayments, conflicts }: Drafts,
  record: Exclude<ReadRecord, SetAside>,
  { key, group, controls }: RecordPlace,
): void => {
  const sale = 'order' in record ? record.order : record.refund;
  const refunded = 'order' in record ? record.refunded : ZERO;
  const draft = saleRow(ownerOf(load), sale, { refunded, file, controls });
  const { row } = draft;
  const { origin } = sale;
  const earlier = sales.get(key)?.row ?? known.get(key);
  const said = earlier?.load === load.number ? (seen.get(key) as Sale) : undefined;
  const isSameFile = said?.origin.file === origin.file;
  if (earlier && said && !(isSameFile && said.origin.line === origin.line)) {
    const isOther = !isSameName(said.origin.record, origin.record);
    if (isOther || isSameFile || earlier.digest === row.digest) {
      if (isOther || earlier.digest !== row.digest) conflicts.add(key);
      asides.push(setAsideRow(ownerOf(load), duplicate(sale, group.rows, said.origin), { key, controls }));
      return;
    }
    asides.push(superseded(load, earlier, said, origin));
  }
  sales.set(key, draft);
  seen.set(key, sale);
  if ('order' in record) repayments.push(...repaymentRows(load, record));
};

const repaymentRows = (load: OpenLoad, { order, repayments = [] }: ReadOrder): readonly RefundDateRow[] => {
  const rowOf = repaymentCounter(load);
  return repayments.map((repayment) => rowOf({ ...repayment, order: order.id, origin: order.origin }));
};

const keyOf = ({ channel }: OpenLoad, group: RowGroup, record: ReadRecord): string =>
  saleOfRecord(record)?.key ?? `${channel.name}/order/${serviceId(group.name)}`;

/** The parts of those records of the batch that are known with another instant. */
const addParts = async (
  load: OpenLoad,
  batch: readonly ReadGroup[],
  known: Map<string, KnownSale>,
  tables: WorkspaceQueries,
): Promise<void> => {
  const sales = batch.map(({ record }) => saleOfRecord(record)).filter((sale) => sale !== undefined);
  const divided = sales.filter(({ key, instant }) => known.has(key) && known.get(key)?.instant !== instant);
  for (const part of await furtherParts(load, divided, tables)) known.set(part.key, part);
};

const withPart = (load: OpenLoad, record: ReadRecord, known: readonly KnownSale[]): ReadRecord => {
  if ('outcome' in record) return record;
  return 'order' in record
    ? { ...record, order: asPart(record.order, known, load) }
    : { refund: asPart(record.refund, known, load) };
};

const duplicate = (order: Sale, rows: readonly TableRow[], earlier: Sale['origin']): SetAside => ({
  outcome: 'ignored',
  origin: order.origin,
  rows,
  businessDate: order.businessDate,
  reason: { code: 'duplicate', message: `the same record stands at ${earlier.file}:${earlier.line}` },
});

/** A newer file says something else: what the earlier file said of the record is ignored, and counts as ignored. */
const superseded = (load: OpenLoad, earlier: KnownSale, sale: Sale, newer: Sale['origin']): SetAsideRow => {
  const message = `${newer.file}:${newer.line} is newer and says something else of this record`;
  const aside: SetAside = {
    outcome: 'ignored',
    origin: sale.origin,
    rows: [],
    businessDate: sale.businessDate,
    reason: { code: 'superseded', message },
  };
  return setAsideRow(ownerOf(load), aside, { key: earlier.key, controls: earlier.controls });
};
