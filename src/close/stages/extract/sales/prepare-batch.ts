import type { ReadGroup } from '../../../sales/read-export.ts';
import type { ReadRecord } from '../../../sales/read-sale.ts';
import { isSameRecord } from '../../../sales/record-id.ts';
import type { Sale, SetAside } from '../../../sales/sale.ts';
import { nameOfKey } from '../../../sales/sale-name.ts';
import { type KnownSale, knownSales } from '../../../workspace/load-sales.ts';
import { putSales, removeSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { keepRepayments } from '../../../workspace/repayments.ts';
import { setAsideRow } from '../../../workspace/sale-rows.ts';
import { keepSetAsides } from '../../../workspace/set-asides.ts';
import type { RefundDateRow, SaleRow, SetAsideRow } from '../../../workspace/tables.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';
import {
  asShipment,
  type KnownPart,
  otherShipments,
  partOfOtherReport,
  partsBeside,
  saleOfRecord,
} from '../reading/record-parts.ts';
import { isUnnumbered, mayBeFurther } from './further-refunds.ts';
import {
  keyOf,
  type LoadedExport,
  type PreparedAside,
  type PreparedRecord,
  type PreparedSale,
  preparedRecord,
} from './prepared-record.ts';
import { duplicateRecord, repeatedRecord, toldByOtherReport } from './repeated-record.ts';

/** Consecutive records: as they were read, or already prepared. */
export type RecordBatch =
  | { readonly records: readonly ReadGroup[] }
  | { readonly prepared: readonly PreparedRecord[] };

/**
 * Prepares the records of one batch of a file, and returns a function that writes them. The newest file takes
 * precedence: it replaces what earlier files and loads stated of a record, and a record that it sets aside is not a
 * sale any more. A second place in the same file is a duplicate when its content is the same, and a conflict when it is
 * not: `repeatedRecord` says which duplicates a person must look at. A refund that may be a second one of its order is a
 * conflict in a newer file as well.
 */
export const prepareBatch = async (
  load: OpenLoad,
  of: LoadedExport,
  batch: RecordBatch,
  { conflicts, outsideGaps }: Ambiguous,
): Promise<() => Promise<void>> => {
  const { workspace } = load;
  const keys =
    'prepared' in batch
      ? batch.prepared.map(({ key }) => key)
      : batch.records.map((read) => keyOf(load, read));
  const known = new Map<string, KnownRecord>(await knownSales(workspace, keys));
  for (const { key, load: seenBy } of known.values()) if (seenBy === load.earlier) outsideGaps.add(key);
  if (of.profile.shape.parts && 'records' in batch) await addParts(load, batch.records, known);
  const seenNow = [...known.values()].filter((row) => row.load === load.number);
  const seen = new Map<string, Said>(
    await salesByKey(
      workspace,
      seenNow.map(({ key }) => key),
    ),
  );
  const before = new Map(known);
  const drafts: Drafts = { known, seen, sales: new Map(), asides: [], gone: [], repayments: [], conflicts };
  for (const record of preparedOf(load, of, batch, drafts)) {
    if ('aside' in record) setAside(load, of, drafts, record);
    else await putSale(load, of, drafts, record);
  }
  const { sales, asides, gone, repayments } = drafts;
  return () =>
    workspace.together(async (within) => {
      // A removed record may have been added again later in the batch, so removals are first.
      await removeSales(within, gone);
      await putSales(within, [...sales.values()], before);
      await keepSetAsides(within, asides);
      await keepRepayments(within, repayments);
    });
};

/** Keys of records in several places. The sets grow from batch to batch. */
export type Ambiguous = {
  /** Records that occur twice in a file with different content. */
  readonly conflicts: Set<string>;
  /** Records that also occur in the parts that are not read again. */
  readonly outsideGaps: Set<string>;
};

/** A sale as the workspace has it; a part, with the kind of report that told it. */
type KnownRecord = KnownSale & KnownPart;

/** The results of a batch. `conflicts` grows from batch to batch. */
type Drafts = {
  /** The statements of earlier batches and loads that are still valid. */
  readonly known: Map<string, KnownRecord>;
  /** Records that this load or batch has already read. */
  readonly seen: Map<string, Said>;
  readonly sales: Map<string, SaleWithText>;
  readonly asides: SetAsideRow[];
  readonly gone: string[];
  readonly repayments: RefundDateRow[];
  readonly conflicts: Set<string>;
};

/** What the place of a record that was read before says. */
type Said = Pick<Sale, 'origin' | 'businessDate' | 'amount' | 'salesTax'>;

const rowsOf = ({ sales }: Drafts): readonly SaleRow[] => [...sales.values()].map(({ row }) => row);

/** Prepares the records one after the other, because the part number of a record depends on the records before it. */
function* preparedOf(
  load: OpenLoad,
  of: LoadedExport,
  batch: RecordBatch,
  drafts: Drafts,
): Generator<PreparedRecord> {
  if ('prepared' in batch) return yield* batch.prepared;
  const hasParts = of.profile.shape.parts;
  for (const { group, record: found } of batch.records) {
    const record = hasParts
      ? withShipment(load, { group, record: found }, partsNow(drafts, of.profile.id))
      : found;
    yield preparedRecord(load, of, { group, record });
  }
}

const setAside = (
  load: OpenLoad,
  { profile }: LoadedExport,
  { known, seen, sales, asides, gone, conflicts }: Drafts,
  { key, aside, isRecord }: PreparedAside,
): void => {
  asides.push(aside);
  const earlier = sales.get(key)?.row ?? known.get(key);
  if (!earlier || !isRecord) return;
  const said = earlier.load === load.number ? (seen.get(key) as Said) : undefined;
  // Another record whose name becomes the same id says nothing of this one.
  if (said && !isSameRecord(said.origin, (JSON.parse(aside.body) as SetAside).origin)) return;
  if (said?.origin.file === aside.file) {
    // Several rows of a file may be about the refund of one order, and only one of them is the refund.
    if (nameOfKey(key).kind === 'order') conflicts.add(key);
    return;
  }
  // A refund that could not be read may be a further one of the order.
  if (said && aside.outcome === 'rejected' && isUnnumbered(profile, key)) return;
  gone.push(key);
  known.delete(key);
  if (said) asides.push(superseded(load, earlier, said, aside));
};

const putSale = async (
  load: OpenLoad,
  { profile }: LoadedExport,
  { known, seen, sales, asides, repayments, conflicts }: Drafts,
  record: PreparedSale,
): Promise<void> => {
  const { key, sale, origin } = record;
  const { row } = sale;
  const earlier = sales.get(key)?.row ?? known.get(key);
  const said = earlier?.load === load.number ? (seen.get(key) as Said) : undefined;
  const isSameFile = said?.origin.file === origin.file;
  if (earlier && said && !(isSameFile && said.origin.line === origin.line)) {
    const isOther = !isSameRecord(said.origin, origin) || mayBeFurther(profile, key, [said, record]);
    if (isOther || isSameFile || earlier.digest === row.digest) {
      const isConflict = isOther || earlier.digest !== row.digest;
      if (isConflict) conflicts.add(key);
      const aside =
        !isConflict && isOfFile(load, origin.file, said.origin.file)
          ? await repeatedRecord(record, profile, said.origin)
          : await duplicateRecord(record, said.origin);
      asides.push(setAsideRow(ownerOf(load), aside, { key, controls: row.controls }));
      return;
    }
    asides.push(superseded(load, earlier, said, origin));
  }
  sales.set(key, sale);
  seen.set(key, record);
  repayments.push(...record.repayments);
};

/** Whether rows come from a file: as it is, or as a reject file repairs it. */
const isOfFile = ({ repaired }: OpenLoad, name: string, file: string): boolean =>
  name === file || repaired.originals.get(name)?.name === file;

/** Adds the known parts of records in the batch that are known with another instant. */
const addParts = async (
  load: OpenLoad,
  batch: readonly ReadGroup[],
  known: Map<string, KnownRecord>,
): Promise<void> => {
  const sales = batch.map(({ record }) => saleOfRecord(record)).filter((sale) => sale !== undefined);
  const divided = sales.filter(({ key, instant }) => known.has(key) && known.get(key)?.instant !== instant);
  for (const part of await otherShipments(load, divided)) known.set(part.key, part);
  const beside = divided.flatMap((sale) => partsBeside(sale, known.values(), load));
  const told = await salesByKey(
    load.workspace,
    beside.map(({ key }) => key),
  );
  for (const [key, { origin }] of told) {
    const row = known.get(key);
    if (row) known.set(key, { ...row, report: origin.report });
  }
};

/** The parts that are known before a record is prepared; those of its batch are from its own report. */
const partsNow = (drafts: Drafts, report: string): ReadonlyMap<string, KnownPart> =>
  new Map<string, KnownPart>([
    ...drafts.known,
    ...rowsOf(drafts).map((row) => [row.key, { ...row, report }] as const),
  ]);

const withShipment = (
  load: OpenLoad,
  { group, record }: ReadGroup,
  known: ReadonlyMap<string, KnownPart>,
): ReadRecord => {
  const sale = saleOfRecord(record);
  if (!sale || 'outcome' in record) return record;
  const beside = known.has(sale.key) ? partsBeside(sale, known.values(), load) : [];
  const other = partOfOtherReport(sale, beside, load);
  if (other) return toldByOtherReport(sale, group.rows, other);
  return 'order' in record
    ? { ...record, order: asShipment(record.order, known.values(), load) }
    : { refund: asShipment(record.refund, known.values(), load) };
};

/** Returns the statement of an earlier file as ignored, because a newer file states something else. */
const superseded = (
  load: OpenLoad,
  earlier: KnownSale,
  { origin, businessDate }: Said,
  newer: Pick<Sale['origin'], 'file' | 'line'>,
): SetAsideRow => {
  const message = `${newer.file}:${newer.line} is newer and says something else of this record`;
  const aside: SetAside = {
    outcome: 'ignored',
    origin,
    rows: [],
    businessDate,
    reason: { code: 'superseded', message },
  };
  return setAsideRow(ownerOf(load), aside, { key: earlier.key, controls: earlier.controls });
};
