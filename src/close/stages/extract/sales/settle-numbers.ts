import { type Instant, zoneCalendar } from '../../../../kernel/calendar.ts';
import { ZERO } from '../../../../kernel/money.ts';
import { serviceId } from '../../../sales/record-id.ts';
import { holding, isHolding, type Sale, type SaleFinding } from '../../../sales/sale.ts';
import { nameOfKey, saleKey } from '../../../sales/sale-name.ts';
import { lastCreatedBefore, type NumberedRecord, recordsOfNumber } from '../../../sales/same-number.ts';
import { keysNamedByDay, numberedSales } from '../../../workspace/load-sales.ts';
import { putSales, removeSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { assignRepayments, keepRepayments } from '../../../workspace/repayments.ts';
import { saleRow, setAsideRow } from '../../../workspace/sale-rows.ts';
import { keepSetAsides } from '../../../workspace/set-asides.ts';
import type { RefundDateRow, SetAsideRow } from '../../../workspace/tables.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';
import type { ReadSales } from '../reading/read-file.ts';
import { type Place, placesOf, placesReadBefore, type ReadBefore } from './number-places.ts';
import { type Ambiguous, onceRejected } from './prepare-batch.ts';
import { isUnnumbered, type Settling, saidAt, settleRecord } from './settle-record.ts';

/** A record of a number that several may have: its id, the moment of its creation, and why it may be another one. */
type Named = {
  readonly id: string;
  readonly at: Instant;
  readonly places: readonly Place[];
  readonly doubt: NumberedRecord<Place>['doubt'];
};

type Rows = {
  readonly sales: SaleWithText[];
  readonly asides: SetAsideRow[];
  readonly repayments: RefundDateRow[];
};

/**
 * Decide of which records the places of a number are, and which statement of each record counts. Such numbers are rare,
 * so all files are read once more for them, instead of keeping what each file says of every record.
 */
export const settleNumbers = async (
  load: OpenLoad,
  { contested, rejects }: Ambiguous,
  files: readonly ReadSales[],
  before: ReadBefore,
): Promise<void> => {
  await forgetUnseenNames(load);
  if (contested.size === 0) return;
  const settling = { ...load, reach: reachOf(load, files) };
  const places = [
    ...(await placesOf(load, contested)),
    ...(await placesReadBefore(load, contested, files, before)),
  ];
  const rows: Rows = { sales: [], asides: [], repayments: [] };
  const orders = new Map<string, readonly Named[]>();
  const isOrder = ({ key }: Place): boolean => nameOfKey(key).kind === 'order';
  for (const own of Map.groupBy(places.filter(isOrder), ({ key }) => key).values()) {
    const records = await settleNumber(settling, own, rows);
    orders.set(records[0]?.id ?? '', records);
  }
  const refunds = places.filter((place) => !isOrder(place)).map((refund) => ofItsOrder(load, refund, orders));
  for (const own of Map.groupBy(refunds, ({ key }) => key).values()) await settleNumber(settling, own, rows);
  await load.workspace.together(async (within) => {
    await removeSales(within, [...new Set([...contested, ...places.map(({ key }) => key)])]);
    await putSales(within, rows.sales);
    await keepSetAsides(
      within,
      rows.asides.map((row) => onceRejected(row, rejects)),
    );
    for (const [id, records] of orders)
      if (records.length > 1)
        await assignRepayments(
          { ...load, workspace: within },
          id,
          (at) => lastCreatedBefore(records, at)?.id ?? `${id}-unclear`,
        );
    await keepRepayments(within, rows.repayments);
  });
};

/**
 * Forget the names by day that earlier loads gave to records of files that are still read: this load gives them again
 * where they still hold.
 */
const forgetUnseenNames = async (load: OpenLoad): Promise<void> => {
  const sales = await salesByKey(load.workspace, await keysNamedByDay(load));
  const read = new Set(load.sources.map(({ name }) => name));
  const stale = [...sales.values()].filter(
    ({ id, origin }) => read.has(origin.file) && serviceId(origin.record) !== id,
  );
  await removeSales(
    load.workspace,
    stale.map(({ key }) => key),
  );
};

/** Returns the last day of which each file has a record. A reject file reaches as far as the file that it repairs. */
const reachOf = ({ repaired }: OpenLoad, files: readonly ReadSales[]): Settling['reach'] => {
  const own = new Map(files.map(({ file, days }) => [file.name, [...days].sort().at(-1) ?? '']));
  return new Map(
    [...own].map(([name, last]) => [name, own.get(repaired.originals.get(name)?.name ?? '') ?? last]),
  );
};

/** Settles the places of one number, record by record; returns the records, the earliest first. */
const settleNumber = async (
  load: Settling,
  places: readonly Place[],
  rows: Rows,
): Promise<readonly Named[]> => {
  const besides = await numberedSales(load.workspace, `${places[0]?.key}-`);
  const ownNames = besides.filter((row) => row.load === load.number).map(({ key }) => nameOfKey(key).id);
  const records = recordsIn(load, places, ownNames);
  for (const { id, places: own, doubt } of records) {
    const read = own.filter(({ profile }) => profile);
    const { counts, others, findings } = settleRecord(load, read.length > 0 ? read : own);
    const asides = counts?.aside ? [...others, { ...counts, aside: counts.aside }] : others;
    const key = saleKey(load.channel.name, nameOfKey(own[0]?.key ?? '').kind, id);
    for (const { aside, controls } of asides)
      rows.asides.push(setAsideRow(ownerOf(load), aside, { key, controls }));
    const said = counts ? [...usedAgain(counts, doubt), ...findings] : [];
    if (counts?.sale) rows.sales.push(saleNamed(load, { ...counts, sale: counts.sale }, { key, id }, said));
    for (const { repayments } of own)
      rows.repayments.push(...repayments.map((row) => ({ ...row, order_id: id })));
  }
  return records;
};

/**
 * Divides the places of a number into records. The earliest keeps the number; the others have their day of creation in the
 * channel's zone behind it, and a count where an order of the export is called so. A place without a readable day is of the only one, or of none.
 */
const recordsIn = (
  load: OpenLoad,
  places: readonly Place[],
  besides: readonly string[],
): readonly Named[] => {
  const { channel, configuration } = load;
  const { id } = nameOfKey(places[0]?.key ?? '');
  const dated = places.flatMap((place) => (place.at === undefined ? [] : [{ ...place, at: place.at }]));
  const undated = places.filter(({ at }) => at === undefined);
  const isOne = places.some((place) => place.profile?.shape.parts || isUnnumbered(place));
  const records: readonly NumberedRecord<(typeof dated)[number]>[] =
    isOne || dated.length === 0
      ? [{ statements: dated }]
      : recordsOfNumber(dated, channel.numbers === 'restart');
  const calendar = zoneCalendar(channel.timeZone ?? configuration.timeZone);
  const taken = new Set(besides);
  const named = records.map(({ statements, doubt }, index): Named => {
    const at = Math.min(...statements.map((place) => place.at)) as Instant;
    const name = index === 0 ? id : `${id}-${calendar.dateAt(at).replaceAll('-', '')}`;
    let free = name;
    for (let count = 2; taken.has(free); count += 1) free = `${name}-${count}`;
    taken.add(free);
    const own = records.length === 1 ? [...statements, ...undated] : statements;
    return { id: free, at, places: own, doubt };
  });
  if (records.length === 1 || undated.length === 0) return named;
  return [...named, { id, at: Infinity as Instant, places: undated, doubt: undefined }];
};

/** Returns a refund with the order that it belongs to, where several have its number. */
const ofItsOrder = (load: OpenLoad, refund: Place, orders: ReadonlyMap<string, readonly Named[]>): Place => {
  const { sale } = refund;
  const own = orders.get(sale?.reference ?? '') ?? [];
  if (!sale || own.length < 2) return refund;
  const order = lastCreatedBefore(own, sale.instant);
  if (!order) {
    const message = `${own.map(({ id }) => id).join(' and ')} have the number of its order, and it may be of either`;
    const findings = [...holding([{ code: 'refund-without-reference', message }]), ...sale.findings];
    return { ...refund, sale: { ...sale, reference: null, outcome: 'review', findings } };
  }
  const id = isUnnumbered(refund) ? `${order.id}${sale.id.slice(sale.reference?.length)}` : sale.id;
  const key = saleKey(load.channel.name, 'refund', id);
  return { ...refund, key, sale: { ...sale, key, id, reference: order.id } };
};

/** The finding about a record that may be the same as an earlier one of its number. */
const usedAgain = (place: Place, doubt: Named['doubt']): readonly SaleFinding[] => {
  if (!doubt) return [];
  const why = doubt.isSameId
    ? `both have the id ${place.uniqueId}, as one order has`
    : 'and no id tells whether the two are one';
  const message = `its number was used before: ${saidAt(place)}, ${saidAt(doubt.with)}, ${why}`;
  return holding([{ code: 'number-used-again', message }]);
};

/** Returns a sale under the id of its record, with its findings. */
const saleNamed = (
  load: OpenLoad,
  place: Place & { readonly sale: Sale },
  name: Pick<Sale, 'key' | 'id'>,
  said: readonly SaleFinding[],
): SaleWithText => {
  const { sale, refunded = ZERO, controls, file } = place;
  const remarks = said.filter((finding) => !isHolding(finding));
  const findings = [...said.filter(isHolding), ...sale.findings, ...remarks];
  const posted = sale.outcome === 'accepted' && remarks.length > 0 ? 'warning' : sale.outcome;
  const outcome = findings.some(isHolding) ? 'review' : posted;
  const owner = { ...ownerOf(load), load: place.load };
  return saleRow(owner, { ...sale, ...name, findings, outcome }, { refunded, controls, file });
};
