import { DAY_MS } from '../../../../kernel/calendar.ts';
import type { ReadGroup } from '../../../sales/read-export.ts';
import type { ReadRecord } from '../../../sales/read-sale.ts';
import { isSameName } from '../../../sales/record-id.ts';
import type { Sale, SetAside } from '../../../sales/sale.ts';
import { nameOfKey } from '../../../sales/sale-name.ts';
import { type KnownSale, knownSales } from '../../../workspace/load-sales.ts';
import { putSales, removeSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { keepRepayments } from '../../../workspace/repayments.ts';
import { saleOfText } from '../../../workspace/sale-changes.ts';
import { setAsideRow } from '../../../workspace/sale-rows.ts';
import { filesSettingAside, keepSetAsides } from '../../../workspace/set-asides.ts';
import type { SaleRow, SetAsideRow } from '../../../workspace/tables.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';
import {
  asPart,
  type KnownPart,
  otherShipments,
  partOfOtherReport,
  partsBeside,
  saleOfRecord,
} from '../reading/record-parts.ts';
import { isOfFile } from '../reading/repaired-rows.ts';
import { type CountedRepayment, repaymentRows } from '../refunds/repayment-rows.ts';
import {
  keyOf,
  type LoadedExport,
  type PreparedAside,
  type PreparedRecord,
  type PreparedSale,
  preparedRecord,
} from './prepared-record.ts';
import { duplicateOf, mayBeApart, onceRejected, repeatedLine, toldByOtherReport } from './repeated-record.ts';

/** Consecutive records: as they were read, or already prepared. */
export type RecordBatch =
  | { readonly records: readonly ReadGroup[] }
  | { readonly prepared: readonly PreparedRecord[] };

/**
 * Prepares the records of one batch of a file, and returns a function that writes them. A record takes the place of
 * what earlier loads stated of it. The same statement once more is a duplicate. Where two places of a load say different
 * things under one key, `settleNumbers` looks at all of its places when every file has been read.
 */
export const prepareBatch = async (
  load: OpenLoad,
  of: LoadedExport,
  batch: RecordBatch,
  { contested, rejects }: Ambiguous,
): Promise<() => Promise<void>> => {
  const { workspace } = load;
  const keys =
    'prepared' in batch
      ? batch.prepared.map(({ key }) => key)
      : batch.records.map((read) => keyOf(load, read));
  const known = new Map<string, KnownRecord>(await knownSales(workspace, keys));
  if (of.profile.shape.parts && 'records' in batch) await addParts(load, batch.records, known);
  const seenNow = [...known.values()].filter((row) => row.load === load.number);
  const seen = new Map<string, Sale['origin']>();
  for (const [key, { origin }] of await salesByKey(
    workspace,
    seenNow.map(({ key }) => key),
  ))
    seen.set(key, origin);
  const before = new Map(known);
  const setAsideIn = new Map(await filesSettingAside(load, keys));
  const drafts: Drafts = {
    ...{ known, seen, setAsideIn, contested, rejects },
    ...{ sales: new Map(), asides: [], gone: [], repayments: [] },
  };
  for (const record of preparedOf(load, of, batch, drafts)) {
    if (contested.has(record.key) && !('aside' in record && record.aside.key === '')) continue;
    if ('aside' in record) setAside(load, drafts, record);
    else await putSale(load, of, drafts, record);
  }
  const { sales, asides, gone, repayments } = drafts;
  return () =>
    workspace.together(async (within) => {
      // A removed record may have been added again later in the batch, so removals are first.
      await removeSales(within, gone);
      await putSales(within, [...sales.values()], before);
      await keepSetAsides(within, asides);
      await keepRepayments(within, repayments.map(repaymentRows(load)));
    });
};

/** What cannot be decided batch by batch. All of it grows from batch to batch. */
export type Ambiguous = {
  /** Keys of which several places say different things. */
  readonly contested: Set<string>;
  /** The first place of each rejected record, by a digest of its cells. */
  readonly rejects: Map<string, Sale['origin']>;
};

/** A sale as the workspace has it; a part, with the kind of report that told it. */
type KnownRecord = KnownSale & KnownPart;

/** The results of a batch, with what was known before it. */
type Drafts = Pick<Ambiguous, 'contested' | 'rejects'> & {
  /** The statements of earlier batches and loads that are still valid. */
  readonly known: Map<string, KnownRecord>;
  /** Places of records that this load or batch has already read as sales. */
  readonly seen: Map<string, Sale['origin']>;
  /** The files in which this load or batch has set a record aside, by key. */
  readonly setAsideIn: Map<string, readonly string[]>;
  readonly sales: Map<string, SaleWithText>;
  readonly asides: SetAsideRow[];
  readonly gone: string[];
  readonly repayments: CountedRepayment[];
};

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

/** Whether an earlier load stated this order on another day, so that it may be another order of the number. */
const isOfOtherDay = ({ key, business_date }: KnownSale, day: string | null): boolean =>
  nameOfKey(key).kind === 'order' &&
  day !== null &&
  Math.abs(Date.parse(day) - Date.parse(business_date)) > DAY_MS;

const setAside = (
  load: OpenLoad,
  { known, seen, setAsideIn, sales, asides, gone, contested, rejects }: Drafts,
  { key, aside, isRecord }: PreparedAside,
): void => {
  const isNamed = aside.key !== '' && (isRecord || aside.outcome === 'rejected');
  const earlier = isNamed ? (sales.get(key)?.row ?? known.get(key)) : undefined;
  if (earlier?.load === load.number) {
    // Several rows of a file may be about the refund of one order, and only one of them is the refund.
    const isOfFile = seen.get(key)?.file === aside.file;
    if (isOfFile ? isRecord && nameOfKey(key).kind === 'order' : true) {
      contested.add(key);
      return;
    }
  } else if (earlier && isRecord) {
    if (isOfOtherDay(earlier, aside.business_date)) {
      contested.add(key);
      return;
    }
    gone.push(key);
    known.delete(key);
  }
  asides.push(rowOnceRejected(aside, rejects));
  if (isNamed) setAsideIn.set(key, [...(setAsideIn.get(key) ?? []), aside.file]);
};

/** Returns the row of a rejected record as `onceRejected` has it. */
export const rowOnceRejected = (row: SetAsideRow, rejects: Ambiguous['rejects']): SetAsideRow => {
  if (row.outcome !== 'rejected') return row;
  const aside = onceRejected(JSON.parse(row.body) as SetAside, rejects);
  return { ...row, outcome: aside.outcome, code: aside.reason.code, body: JSON.stringify(aside) };
};

const putSale = async (
  load: OpenLoad,
  { profile }: LoadedExport,
  { known, seen, setAsideIn, sales, asides, repayments, contested }: Drafts,
  record: PreparedSale,
): Promise<void> => {
  const { key, sale, origin } = record;
  const { row } = sale;
  const earlier = sales.get(key)?.row ?? known.get(key);
  const said = earlier?.load === load.number ? seen.get(key) : undefined;
  if (earlier && said) {
    const isSame =
      isSameName(said.record, origin.record) &&
      said.store === origin.store &&
      said.uniqueId === origin.uniqueId;
    if (earlier.digest !== row.digest || !isSame) {
      contested.add(key);
      return;
    }
    const rows = await record.rows();
    const aside =
      isOfFile(load, origin.file, said.file) && mayBeApart(profile)
        ? repeatedLine(saleOfText(key, sale), rows, said)
        : duplicateOf(record, rows, said);
    asides.push(setAsideRow(ownerOf(load), aside, { key, controls: row.controls }));
    return;
  }
  const isSetAside = setAsideIn.get(key)?.some((file) => file !== origin.file);
  if (isSetAside || (earlier && !said && isOfOtherDay(earlier, row.business_date))) {
    contested.add(key);
    return;
  }
  sales.set(key, sale);
  seen.set(key, origin);
  repayments.push(...record.repayments);
};

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
  if (!sale) return record;
  const beside = known.has(sale.key) ? partsBeside(sale, known.values(), load) : [];
  const other = partOfOtherReport(sale, beside, load);
  return other ? toldByOtherReport(sale, group.rows, other) : asPart(record, known.values(), load);
};
