import type { Instant } from '../kernel/calendar.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import type { SalesProfile } from '../sales/profile.ts';
import { holding, isHolding, type Sale, type SaleFinding, type SetAside } from '../sales/sale.ts';
import { nameOfKey, saleKey } from '../sales/sale-name.ts';
import { type Aged, lastCreatedBefore, type NumberedRecord, recordsOfNumber } from '../sales/same-record.ts';
import type { Controls } from './control-figures.ts';
import type { ChannelLoad } from './open-export.ts';
import type { CountedRepayment } from './read-channel.ts';
import type { ReadSales } from './read-file.ts';
import { isUnnumbered, type Settling, saidAt, settleRecord } from './settle-record.ts';

/** A record of a number that several may have: its id, the moment of its creation, and why it may be another one. */
export type Named = {
  readonly id: string;
  readonly at: Instant;
  readonly places: readonly Place[];
  readonly doubt: NumberedRecord<Place>['doubt'];
};

/** The statement of a record that counts, as a sale under the id of the record. */
type SettledSale = { readonly place: Place; readonly sale: Sale };

/** What the places of some numbers come to. */
export type Settled = {
  readonly sales: readonly SettledSale[];
  readonly asides: readonly { readonly place: Place; readonly aside: SetAside; readonly key: string }[];
  readonly repayments: readonly CountedRepayment[];
  /** The orders of each number, the earliest first, by its id. */
  readonly orders: ReadonlyMap<string, readonly Named[]>;
};

/** Returns the id of the order that a repayment of a number belongs to, which several orders have. */
export const orderAt = (id: string, records: readonly Pick<Named, 'id' | 'at'>[], at: Instant): string =>
  lastCreatedBefore(records, at)?.id ?? `${id}-unclear`;

/**
 * Settles places, the orders first, because refunds go to one of the orders of their number.
 *
 * @param isSale whether the exports have a sale of a key
 */
export const settledPlaces = (
  load: Settling,
  places: readonly Place[],
  isSale: (key: string) => boolean,
): Settled => {
  const found = { sales: [], asides: [], repayments: [], orders: new Map<string, readonly Named[]>() };
  const isOrder = ({ key }: Place): boolean => nameOfKey(key).kind === 'order';
  const settle = (own: readonly Place[]): readonly Named[] => {
    const records = recordsIn(load, own, isSale);
    settleRecords(load, records, found);
    return records;
  };
  for (const own of Map.groupBy(places.filter(isOrder), ({ key }) => key).values()) {
    found.orders.set(nameOfKey(own[0]?.key ?? '').id, settle(own));
  }
  const refunds = places
    .filter((place) => !isOrder(place))
    .map((refund) => (refund.lockedAs === undefined ? ofItsOrder(load, refund, found.orders) : refund));
  for (const own of Map.groupBy(refunds, ({ key }) => key).values()) settle(own);
  return found;
};

/** Returns the last day of which each file has a record. A reject file reaches as far as the file that it repairs. */
export const reachOf = (
  { repaired }: Pick<ChannelLoad, 'repaired'>,
  files: readonly Pick<ReadSales, 'file' | 'days'>[],
): Settling['reach'] => {
  const own = new Map(files.map(({ file, days }) => [file.name, [...days].sort().at(-1) ?? '']));
  return new Map(
    [...own].map(([name, last]) => [name, own.get(repaired.originals.get(name)?.name ?? '') ?? last]),
  );
};

type Draft = {
  readonly sales: SettledSale[];
  readonly asides: Settled['asides'][number][];
  readonly repayments: CountedRepayment[];
};

const settleRecords = (load: Settling, records: readonly Named[], to: Draft): void => {
  for (const { id, places, doubt } of records) {
    const own = places.filter(({ lockedAs }) => lockedAs === undefined);
    if (own.length === 0) continue;
    const read = own.filter(({ profile }) => profile);
    const { counts, others, findings } = settleRecord(load, read.length > 0 ? read : own);
    const asides = counts?.aside ? [...others, { ...counts, aside: counts.aside }] : others;
    const key = saleKey(load.channel.name, nameOfKey(own[0]?.key ?? '').kind, id);
    to.asides.push(...asides.map((place) => ({ place, aside: place.aside, key })));
    const said = counts ? [...usedAgain(counts, doubt), ...findings] : [];
    if (counts?.sale) to.sales.push({ place: counts, sale: saleNamed(counts.sale, { key, id }, said) });
    for (const { repayments } of own)
      to.repayments.push(...repayments.map((each) => ({ ...each, order: id })));
  }
};

/**
 * Divides the places of a number into records. A locked one keeps its name. Else the earliest keeps the number; the others
 * have their day of creation in the channel's zone behind it, and a count where an order of the export is called so. A
 * place without a readable day is of the only one, or of none.
 */
const recordsIn = (
  load: Settling,
  places: readonly Place[],
  isSale: (key: string) => boolean,
): readonly Named[] => {
  const { channel, configuration } = load;
  const { kind, id } = nameOfKey(places[0]?.key ?? '');
  const dated = places.flatMap((place) => (place.at === undefined ? [] : [{ ...place, at: place.at }]));
  const undated = places.filter(({ at }) => at === undefined);
  const isOne = places.some((place) => place.profile?.shape.parts || isUnnumbered(place));
  const records: readonly NumberedRecord<(typeof dated)[number]>[] =
    isOne || dated.length === 0
      ? [{ statements: dated }]
      : recordsOfNumber(dated, channel.numbers === 'restart');
  const calendar = zoneCalendar(channel.timeZone ?? configuration.timeZone);
  const locked = records.map(({ statements }) => lockedName(statements));
  const taken = new Set<string>(locked.flatMap((name) => name ?? []));
  const isTaken = (name: string): boolean => taken.has(name) || isSale(saleKey(channel.name, kind, name));
  const named = records.map(({ statements, doubt }, index): Named => {
    const at = Math.min(...statements.map((place) => place.at)) as Instant;
    const isFirst = index === 0 && !taken.has(id);
    const name = isFirst ? id : `${id}-${calendar.dateAt(at).replaceAll('-', '')}`;
    let free = locked[index] ?? name;
    const isNew = locked[index] === undefined && !isFirst;
    for (let count = 2; isNew && isTaken(free); count += 1) free = `${name}-${count}`;
    taken.add(free);
    const own = records.length === 1 ? [...statements, ...undated] : statements;
    return { id: free, at, places: own, doubt };
  });
  if (records.length === 1 || undated.length === 0) return named;
  return [...named, { id, at: Infinity as Instant, places: undated, doubt: undefined }];
};

const lockedName = (places: readonly Place[]): string | undefined => {
  const key = places.find(({ lockedAs }) => lockedAs !== undefined)?.lockedAs;
  return key === undefined ? undefined : nameOfKey(key).id;
};

/** Returns a refund with the order that it belongs to, where several have its number. */
const ofItsOrder = (load: Settling, refund: Place, orders: ReadonlyMap<string, readonly Named[]>): Place => {
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
const saleNamed = (sale: Sale, name: Pick<Sale, 'key' | 'id'>, said: readonly SaleFinding[]): Sale => {
  const remarks = said.filter((finding) => !isHolding(finding));
  const findings = [...said.filter(isHolding), ...sale.findings, ...remarks];
  const posted = sale.outcome === 'accepted' && remarks.length > 0 ? 'warning' : sale.outcome;
  const outcome = findings.some(isHolding) ? 'review' : posted;
  return { ...sale, ...name, findings, outcome };
};

/** One place in the files of a load that has a number, as a sale or set aside. */
export type Place = Aged & {
  readonly key: string;
  /** When the record was created; `undefined` where its row does not say it. */
  readonly at: Instant | undefined;
  readonly uniqueId: string;
  readonly origin: Sale['origin'];
  readonly sale: Sale | undefined;
  readonly aside: SetAside | undefined;
  /** Whether its rows make up a record; other rows are set aside without saying anything of the record. */
  readonly isRecord: boolean;
  readonly digest: string;
  readonly controls: Controls;
  readonly rows: SetAside['rows'];
  readonly repayments: readonly CountedRepayment[];
  /** The position of its file in reading order, and the load that read it. */
  readonly file: number | null;
  /** For a record of a locked period: the key that it is filed under. It is not a statement of today. */
  readonly lockedAs?: string;
  /** `undefined` for what only an earlier load has read. */
  readonly profile: SalesProfile | undefined;
};
