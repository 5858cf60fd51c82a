import type { Instant } from '../kernel/calendar.ts';
import { ZERO } from '../kernel/money.ts';
import { compareText } from '../kernel/text.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import type { ReadGroup } from '../sales/read-export.ts';
import { addRepayment, type CountedRepayment, repaymentsOf } from '../sales/refunds.ts';
import {
  holding,
  type Identity,
  isHolding,
  type Sale,
  type SaleFinding,
  type SetAside,
} from '../sales/sale.ts';
import { nameOfKey, saleKey } from '../sales/sale-name.ts';
import { asKnownPart, type ChannelReading, keyOf, type NumberedOrder, statementOf } from './read-channel.ts';
import type { ReadSales } from './read-file.ts';
import { lastCreatedBefore } from './read-refunds.ts';
import {
  addAside,
  addSale,
  contentText,
  dropAside,
  dropSale,
  type ExportFile,
  placeKey,
  salesWith,
  seeAside,
} from './read-stores.ts';
import {
  agree,
  isSameMoment,
  isUnnumbered,
  type Place,
  type Settling,
  saidAt,
  settleRecord,
} from './settle-record.ts';
import type { LockedRecord } from './shapes.ts';

/**
 * Decides of which records the places of contested keys are, and which statement of each counts. Such keys are rare, so
 * the files are read once more for them, instead of keeping what each says of every record.
 */
export const settleContested = async (reading: ChannelReading): Promise<void> => {
  const { stores, load, contested, files, first } = reading;
  const locked = await lockedPlaces(reading);
  if (contested.size === 0) return;
  const places: Place[] = [];
  for (const [index, file] of files.entries()) {
    const own = await placesIn(reading, file, first + index);
    places.push(...own);
  }
  const reads = files.flatMap(({ read }) => read ?? []);
  const settling = { ...load, reach: reachOf(load, reads) };
  const isSale = (key: string): boolean => stores.keys.get(key)?.isSale === true;
  const settled = settledPlaces(settling, locked, places, isSale);
  takeOut(reading, places);
  putIn(reading, settled);
};

/**
 * Returns the locked records of contested keys. A key is contested, too, where a locked record of its number is not
 * surely of the sale that the exports state now.
 */
const lockedPlaces = async ({
  stores,
  contested,
  disputed,
}: ChannelReading): Promise<readonly LockedPlace[]> => {
  const known = [...contested].filter((key) => stores.locked.has(key));
  const named = await stores.locked.named(new Set([...disputed, ...known]));
  for (const sales of salesWith(stores, disputed))
    for (const { key, identity } of sales) {
      const own = named.get(key)?.find((record) => record.key === key);
      if (!own || !agree(createdOf(own.identity), createdOf(identity))) contested.add(key);
    }
  return [...named].flatMap(([key, records]) =>
    contested.has(key) ? records.map((record) => lockedPlace(key, record)) : [],
  );
};

const createdOf = ({ created, sourceId = '' }: Identity) => ({ at: created, uniqueId: sourceId });

const lockedPlace = (key: string, { key: lockedAs, sale, identity }: LockedRecord): LockedPlace => ({
  ...createdOf(identity),
  key,
  lockedAs,
  said: saidAt({ sale, aside: undefined, origin: sale.origin }),
});

/** Reads the places of contested keys, and the refunds of contested orders, again. */
const placesIn = async (
  reading: ChannelReading,
  { open }: ExportFile,
  file: number,
): Promise<readonly Place[]> => {
  const { contested } = reading;
  const places: Place[] = [];
  for await (const batch of open.records()) {
    for (const read of batch) {
      const place = placeOf(reading, open, read, file);
      if (!place) continue;
      const order = saleKey(reading.load.channel.name, 'order', place.sale?.reference ?? '');
      if (contested.has(place.key) || contested.has(order)) places.push(place);
    }
  }
  return places;
};

/** Returns what a record says, and how new; `undefined` for rows that name no record. */
const placeOf = (
  reading: ChannelReading,
  { profile, meter, statedOf }: ExportFile['open'],
  read: ReadGroup,
  file: number,
): Place | undefined => {
  const { group } = read;
  const [row] = group.rows;
  const record = profile.shape.parts ? asKnownPart(reading, read) : read.record;
  const sale = 'sale' in record ? record.sale : undefined;
  if (!row || (!sale && (group.name === '' || profile.shape.parts))) return undefined;
  const aside = 'outcome' in record ? record : undefined;
  const refunded = 'sale' in record ? record.refunded : ZERO;
  return {
    ...statedOf(row),
    key: keyOf(reading.load, { group, record }),
    sale,
    aside,
    origin: (sale ?? (aside as SetAside)).origin,
    refunded: sale && refunded,
    profile,
    file,
    isRecord: sale !== undefined || group.kind === 'record',
    digest: sale ? `${refunded} ${contentText(sale)}` : '',
    repayments: 'sale' in record ? repaymentsOf(record) : [],
    rows: group.rows,
    controls: meter.of(group.rows),
  };
};

/** Takes out what the first reading kept of contested keys and of these places. */
const takeOut = ({ stores, load, contested, repayments }: ChannelReading, places: readonly Place[]): void => {
  const keys = new Set([...contested, ...places.map(({ key }) => key)]);
  for (const sales of salesWith(stores, keys)) {
    for (const sale of sales) dropSale(stores, sale);
  }
  for (const key of keys) {
    const seen = stores.keys.get(key);
    if (seen) stores.keys.set(key, { ...seen, isSale: false, isAsideInSeveral: false });
  }
  const days = Map.groupBy(places, ({ sale, aside }) => sale?.businessDate ?? aside?.businessDate ?? '');
  for (const [day, own] of days) {
    const wanted = new Set(own.map(({ origin }) => placeKey(load.channel.name, origin)));
    for (const aside of stores.asides.find(day, (key) => wanted.has(key))) dropAside(stores, aside);
  }
  for (const { sale } of places) {
    if (sale?.kind === 'order') repayments.delete(sale.id);
  }
};

/** Keeps what these places come to. */
const putIn = ({ stores, load, repayments, numbers }: ChannelReading, settled: Settled): void => {
  const channel = load.channel.name;
  for (const { place, aside, key } of settled.asides) {
    const { file, controls } = place;
    addAside(stores, { channel, aside, record: key, controls, at: file });
    if (!stores.keys.get(key)?.isSale) seeAside(stores, key, { file, line: place.origin.line });
  }
  for (const { place, sale } of settled.sales) {
    const { refunded = ZERO, controls, file: at } = place;
    const file = stores.files[at] as ExportFile;
    addSale(stores, { ...statementOf(sale, file), refunded, controls, at });
  }
  for (const repayment of settled.repayments) addRepayment(repayments, repayment);
  for (const [number, records] of settled.orders) {
    const orders = records.map(({ id, at }) => ({ id, at }));
    if (orders.length > 1) numbers.set(number, orders);
  }
};

/** A statement of a number with the moment of its creation: one of today, or a record of a locked period. */
type Dated = {
  readonly at: Instant;
  /** The id that no other shop has; empty where there is none. */
  readonly uniqueId: string;
  /** What it says, in words. */
  readonly said: string;
  readonly place?: Place;
};

/** A record of a locked period that has a number: the key of the number, and the key that it is filed under. */
type LockedPlace = Dated & { readonly key: string; readonly lockedAs: string };

/** A record of a number that several may have: its id, the moment of its creation, and why it may be another one. */
type Named = NumberedOrder & {
  readonly places: readonly Place[];
  readonly doubt: Doubt | undefined;
};

/** What the places of some numbers come to. */
type Settled = {
  /** The statements that count, as sales under the ids of their records. */
  readonly sales: { readonly place: Place; readonly sale: Sale }[];
  readonly asides: { readonly place: Place; readonly aside: SetAside; readonly key: string }[];
  readonly repayments: CountedRepayment[];
  /** The orders of each number, the earliest first, by its id. */
  readonly orders: Map<string, readonly Named[]>;
};

/**
 * Settles places, the orders first, because refunds go to one of the orders of their number.
 *
 * @param isSale whether the exports have a sale of a key
 */
const settledPlaces = (
  load: Settling,
  locked: readonly LockedPlace[],
  places: readonly Place[],
  isSale: (key: string) => boolean,
): Settled => {
  const settled: Settled = { sales: [], asides: [], repayments: [], orders: new Map() };
  const isOrder = ({ key }: { readonly key: string }): boolean => nameOfKey(key).kind === 'order';
  const settle = (all: readonly (Place | LockedPlace)[]): void => {
    for (const [key, own] of Map.groupBy(all, (one) => one.key)) {
      const records = recordsIn(load, key, own, isSale);
      for (const record of records) if (record.places.length > 0) settleNamed(load, key, record, settled);
      if (isOrder({ key })) settled.orders.set(nameOfKey(key).id, records);
    }
  };
  settle([...locked, ...places].filter(isOrder));
  const refunds = places.filter((place) => !isOrder(place));
  settle([
    ...locked.filter((place) => !isOrder(place)),
    ...refunds.map((refund) => ofItsOrder(load, refund, settled.orders)),
  ]);
  return settled;
};

/** Returns the last day of which each file has a record. A reject file reaches as far as the file that it repairs. */
const reachOf = (
  { repaired }: Pick<Settling, 'repaired'>,
  files: readonly Pick<ReadSales, 'path' | 'days'>[],
): Settling['reach'] => {
  const own = new Map(files.map(({ path, days }) => [path, [...days].sort().at(-1) ?? '']));
  return new Map(
    [...own].map(([name, last]) => [name, own.get(repaired.originals.get(name)?.name ?? '') ?? last]),
  );
};

const settleNamed = (load: Settling, numberKey: string, { id, places, doubt }: Named, to: Settled): void => {
  const { counts, asides, findings } = settleRecord(load, places);
  const key = saleKey(load.channel.name, nameOfKey(numberKey).kind, id);
  to.asides.push(...asides.map((place) => ({ place, aside: place.aside, key })));
  if (counts?.sale) {
    const said = [...usedAgain(counts, doubt), ...findings];
    to.sales.push({ place: counts, sale: saleNamed(counts.sale, { key, id }, said) });
  }
  for (const { repayments } of places)
    to.repayments.push(...repayments.map((each) => ({ ...each, order: id })));
};

/**
 * Divides the places of a number into records. A locked one keeps its name. Else the earliest keeps the number; the others
 * have their day of creation in the channel's zone behind it, and a count where an order of the export is called so. A
 * place without a readable day is of the only one, or of none.
 */
const recordsIn = (
  { channel, configuration }: Settling,
  key: string,
  all: readonly (Place | LockedPlace)[],
  isSale: (key: string) => boolean,
): readonly Named[] => {
  const { kind, id } = nameOfKey(key);
  const places = all.filter((one): one is Place => !isLocked(one));
  const undated = places.filter(({ at }) => at === undefined);
  const dated: readonly Dated[] = [
    ...all.filter(isLocked),
    ...places.flatMap((place) => {
      const { at, uniqueId } = place;
      return at === undefined ? [] : [{ at, uniqueId, said: saidAt(place), place }];
    }),
  ];
  const isOne = places.some((place) => place.profile.shape.parts || isUnnumbered(place));
  const records: readonly NumberedRecord[] =
    isOne || dated.length === 0
      ? [{ statements: dated }]
      : recordsOfNumber(dated, channel.numbers === 'restart');
  const calendar = zoneCalendar(channel.timeZone ?? configuration.timeZone);
  const locked = records.map(({ statements }) => lockedName(statements));
  const taken = new Set<string>(locked.flatMap((name) => name ?? []));
  const isTaken = (name: string): boolean => taken.has(name) || isSale(saleKey(channel.name, kind, name));
  const named = records.map(({ statements, doubt }, index): Named => {
    const at = Math.min(...statements.map((one) => one.at)) as Instant;
    const isFirst = index === 0 && !taken.has(id);
    const name = isFirst ? id : `${id}-${calendar.dateAt(at).replaceAll('-', '')}`;
    let free = locked[index] ?? name;
    const isNew = locked[index] === undefined && !isFirst;
    for (let count = 2; isNew && isTaken(free); count += 1) free = `${name}-${count}`;
    taken.add(free);
    const own = statements.flatMap(({ place }) => place ?? []);
    return { id: free, at, places: records.length === 1 ? [...own, ...undated] : own, doubt };
  });
  if (records.length === 1 || undated.length === 0) return named;
  return [...named, { id, at: Infinity as Instant, places: undated, doubt: undefined }];
};

const isLocked = <Other extends object>(one: Other | LockedPlace): one is LockedPlace => 'lockedAs' in one;

const lockedName = (statements: readonly Dated[]): string | undefined => {
  const own = statements.find(isLocked);
  return own && nameOfKey((own as LockedPlace).lockedAs).id;
};

/** The statements of one record among those of its number, and why that may be another record. */
type NumberedRecord = { readonly statements: readonly Dated[]; readonly doubt?: Doubt | undefined };

/** The statement of another record that a record may be one with. */
type Doubt = { readonly with: Dated; readonly isSameId: boolean };

/**
 * Divides the statements of one number into records, the earliest first. Two statements are of one record when the
 * moments of creation agree and no unique id says otherwise. A record that is not surely another one than an earlier or
 * locked one is doubtful.
 *
 * @param restarts whether the numbers of the channel start again, so that another creation alone is another record
 */
const recordsOfNumber = (statements: readonly Dated[], restarts: boolean): readonly NumberedRecord[] => {
  const records: Dated[][] = [];
  // Those with an id come first: one without it may be of a record that has one.
  const withIdsFirst = statements.toSorted(
    (one, other) => Number(one.uniqueId === '') - Number(other.uniqueId === '') || one.at - other.at,
  );
  for (const statement of withIdsFirst) {
    const fitting = records.filter((record) => record.some((other) => agree(other, statement)));
    if (fitting.length === 1) fitting[0]?.push(statement);
    else records.push([statement]);
  }
  const createdAt = (record: readonly Dated[]): number => Math.min(...record.map(({ at }) => at));
  records.sort((one, other) => createdAt(one) - createdAt(other) || compareText(idOf(one), idOf(other)));
  return records.map((record, index) => {
    const before = records.filter((other, at) => other !== record && (at < index || other.some(isLocked)));
    const rival = record.some(isLocked)
      ? undefined
      : before.findLast((other) => !areTwo(record, other, restarts));
    if (!rival?.[0]) return { statements: record };
    const isSameId = idOf(record) !== '' && idOf(record) === idOf(rival);
    return { statements: record, doubt: { with: rival[0], isSameId } };
  });
};

const idOf = (record: readonly Dated[]): string =>
  record.find(({ uniqueId }) => uniqueId !== '')?.uniqueId ?? '';

/** Whether two records of a number are surely two: by their ids, or else by their moments if numbers restart. */
const areTwo = (one: readonly Dated[], other: readonly Dated[], restarts: boolean): boolean => {
  const ids = [idOf(one), idOf(other)];
  if (!ids.includes('')) return ids[0] !== ids[1];
  return restarts && !one.some((each) => other.some(({ at }) => isSameMoment(each.at, at)));
};

/** Returns a refund with the order that it belongs to, where several have its number. */
const ofItsOrder = (load: Settling, refund: Place, orders: Settled['orders']): Place => {
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
const usedAgain = (place: Place, doubt: Doubt | undefined): readonly SaleFinding[] => {
  if (!doubt) return [];
  const why = doubt.isSameId
    ? `both have the id ${place.uniqueId}, as one order has`
    : 'and no id tells whether the two are one';
  const message = `its number was used before: ${saidAt(place)}, ${doubt.with.said}, ${why}`;
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
