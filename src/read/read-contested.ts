import { type CalendarDate, type Instant, instant, startOfUtcDay } from '../kernel/calendar.ts';
import { ZERO } from '../kernel/money.ts';
import { compareText } from '../kernel/text.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import type { ReadGroup } from '../sales/read-export.ts';
import { addRepayment, repaymentsOf } from '../sales/refunds.ts';
import { holding, type Identity, isHolding, type Sale, type SaleFinding } from '../sales/sale.ts';
import { nameOfKey, saleKey } from '../sales/sale-name.ts';
import type { TableRow } from '../sales/table-row.ts';
import {
  asKnownPart,
  type ChannelReading,
  lastCreatedBefore,
  type NumberedOrder,
  statementOf,
} from './read-channel.ts';
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
  type Created,
  isSameMoment,
  isUnnumbered,
  type Place,
  type Settling,
  saidAt,
  settleRecord,
} from './settle-record.ts';
import { keyOfAside } from './shapes.ts';

/**
 * Decides of which records the places of contested keys are, and which statement of each counts. Such keys are rare, so
 * the files are read once more for them, instead of keeping what each says of every record.
 */
export const settleContested = async (reading: ChannelReading): Promise<void> => {
  const { contested, files, channel } = reading;
  const locked = await lockedStatements(reading);
  if (contested.size === 0) return;
  const places: Place[] = [];
  for (const file of files)
    for await (const batch of file.open.records())
      for (const read of batch) {
        const place = placeOf(reading, file, read);
        if (!place) continue;
        const order = saleKey(channel.name, 'order', place.sale?.reference ?? '');
        if (contested.has(place.key) || contested.has(order)) places.push(place);
      }
  takeOut(reading, places);
  settleAll({ ...reading, reach: reachOf(reading) }, locked, places);
};

/** The reading of a channel with what its records are settled by. */
type Contest = ChannelReading & Settling;

/**
 * Returns the locked records of contested keys. A key is contested, too, where a locked record of its number is not
 * surely of the sale that the exports state now.
 */
const lockedStatements = async ({
  stores,
  contested,
  disputed,
}: ChannelReading): Promise<readonly Locked[]> => {
  const known = [...contested].filter((key) => stores.locked.has(key));
  const named = await stores.locked.named(new Set([...disputed, ...known]));
  for (const { key, identity } of salesWith(stores, disputed)) {
    const own = named.get(key)?.find((record) => record.key === key);
    if (!own || !agree(createdOf(own.identity), createdOf(identity))) contested.add(key);
  }
  return [...named].flatMap(([key, records]) =>
    (contested.has(key) ? records : []).map(({ key: filed, sale, identity }): Locked => {
      const stated = { sale, aside: undefined, origin: sale.origin, filedAs: nameOfKey(filed).id };
      return { ...createdOf(identity), ...stated, key };
    }),
  );
};

const createdOf = ({ created, sourceId = '' }: Identity) => ({ at: created, uniqueId: sourceId });

/** Returns what a record says, and how new; `undefined` for rows that name no record. */
const placeOf = (reading: ChannelReading, file: ExportFile, read: ReadGroup): Place | undefined => {
  const { at: position, source, open } = file;
  const { profile, meter, stepsOf } = open;
  const { name, rows, stray } = read.group;
  const record = profile.shape.parts ? asKnownPart(reading, read) : read.record;
  const stated = {
    // A group has at least one row.
    steps: stepsOf(rows[0] as TableRow),
    profile,
    file: position,
    sha256: source.sha256,
    rows,
    controls: meter.of(rows),
    isRecord: stray === undefined,
  };
  if ('outcome' in record) {
    if (name === '' || profile.shape.parts) return undefined;
    const { origin, businessDate } = record;
    const key = keyOfAside({ ...record, channel: reading.channel.name });
    const at = businessDate === null ? undefined : noonOf(businessDate);
    const nothing = {
      sale: undefined,
      refunded: undefined,
      uniqueId: '',
      digest: '',
      repayments: [],
    };
    return {
      ...stated,
      ...nothing,
      key,
      aside: record,
      origin,
      at,
    };
  }
  const { sale, refunded } = record;
  const { key, origin, instant: at } = sale;
  const { uniqueId = '' } = origin;
  const said = { refunded, digest: `${refunded} ${contentText(sale)}`, repayments: repaymentsOf(record) };
  return {
    ...stated,
    ...said,
    key,
    sale,
    aside: undefined,
    origin,
    at,
    uniqueId,
  };
};

/** The middle of a day in UTC: a moment of that day in every zone of the United States. */
const noonOf = (day: CalendarDate): Instant => instant(startOfUtcDay(day) + 12 * 3_600_000);

/** Takes out what the first reading kept of contested keys and of these places. */
const takeOut = (
  { stores, channel, contested, repayments }: ChannelReading,
  places: readonly Place[],
): void => {
  const keys = new Set([...contested, ...places.map(({ key }) => key)]);
  for (const sale of salesWith(stores, keys)) dropSale(stores, sale);
  for (const key of keys) {
    const seen = stores.keys.get(key);
    if (seen) stores.keys.set(key, { ...seen, isSale: false });
  }
  const days = Map.groupBy(places, ({ sale, aside }) => sale?.businessDate ?? aside?.businessDate ?? '');
  for (const [day, own] of days) {
    const wanted = new Set(own.map(({ origin }) => placeKey(channel.name, origin)));
    for (const aside of stores.asides.find(day, (key) => wanted.has(key))) dropAside(stores, aside);
  }
  for (const { sale } of places) {
    if (sale?.kind === 'order') repayments.delete(sale.id);
  }
};

/** Returns the last day of which each file has a record. A reject file reaches as far as the file that it repairs. */
const reachOf = ({ repaired, files }: ChannelReading): Settling['reach'] => {
  const own = new Map(files.map(({ source, read }) => [source.name, read?.days.at(-1) ?? '']));
  const original = (name: string): string => repaired.originals.get(name)?.name ?? '';
  return new Map([...own].map(([name, last]) => [name, own.get(original(name)) ?? last]));
};

/** A record of a locked period, with the id that it is filed under. */
type Locked = Created & Pick<Place, 'key' | 'sale' | 'aside' | 'origin'> & { readonly filedAs: string };

/** A statement of a number with the moment of its creation: one of today, or a record of a locked period. */
type Numbered = (Place & Created) | Locked;

/** A record of a number that several may have: its places, and why it may be another one. */
type Named = NumberedOrder & {
  readonly places: readonly Place[];
  readonly doubt: readonly SaleFinding[];
};

/** Settles places, the orders first, because refunds go to one of the orders of their number. */
const settleAll = (contest: Contest, locked: readonly Locked[], places: readonly Place[]): void => {
  const orders = new Map<string, readonly Named[]>();
  const filed = Map.groupBy(locked, ({ key }) => key);
  const settle = (kind: Sale['kind'], stated: readonly Place[]): void => {
    const own = Map.groupBy(stated, ({ key }) => key);
    for (const key of new Set([...filed.keys(), ...own.keys()])) {
      const name = nameOfKey(key);
      if (name.kind !== kind) continue;
      const records = recordsIn(contest, key, filed.get(key) ?? [], own.get(key) ?? []);
      for (const record of records) if (record.places.length > 0) settleNamed(contest, kind, record);
      if (kind !== 'order') continue;
      orders.set(name.id, records);
      const dated = records.map(({ id, at }) => ({ id, at }));
      if (records.length > 1) contest.numbers.set(name.id, dated);
    }
  };
  settle('order', places);
  settle(
    'refund',
    places.map((place) => ofItsOrder(contest, place, orders)),
  );
};

/** Keeps what the places of one record come to. */
const settleNamed = (contest: Contest, kind: Sale['kind'], { id, places, doubt }: Named): void => {
  const { stores, repayments, channel } = contest;
  const key = saleKey(channel.name, kind, id);
  const { counts, findings, asides } = settleRecord(contest, places);
  for (const { place, aside } of asides) {
    const { file: at, controls } = place;
    addAside(stores, {
      channel: channel.name,
      aside,
      record: key,
      controls,
      at,
    });
    seeAside(stores, key, at);
  }
  if (counts?.sale) {
    const { refunded = ZERO, controls, file: at } = counts;
    const sale = saleNamed(counts.sale, { key, id }, [...doubt, ...findings]);
    addSale(stores, { ...statementOf(sale, counts.sha256), refunded, controls, at });
  }
  for (const each of places.flatMap((place) => place.repayments))
    addRepayment(repayments, { ...each, order: id });
};

/**
 * Divides the statements of a number into records. A locked one keeps its name. Else the earliest keeps the number; the
 * others have their day of creation in the channel's zone behind it, and a count where an order of the export is called so.
 * A place without a readable day is of the only one, or of none.
 */
const recordsIn = (
  { channel, configuration, stores }: Contest,
  key: string,
  locked: readonly Locked[],
  places: readonly Place[],
): readonly Named[] => {
  const { kind, id } = nameOfKey(key);
  const undated = places.filter(({ at }) => at === undefined);
  const all = [...locked, ...places.filter((place): place is Place & Created => place.at !== undefined)];
  const isOne = places.some((place) => place.profile.shape.parts || isUnnumbered(place));
  const records = isOne || all.length === 0 ? [all] : dividedByRecord(all);
  const filedAs = (record: readonly Numbered[]): string | undefined => record.find(isLocked)?.filedAs;
  const calendar = zoneCalendar(channel.timeZone ?? configuration.timeZone);
  const taken = new Set(records.flatMap((record) => filedAs(record) ?? []));
  const isTaken = (name: string): boolean =>
    taken.has(name) || stores.keys.get(saleKey(channel.name, kind, name)) !== undefined;
  const named = records.map((record, index): Named => {
    const at = Math.min(...record.map((one) => one.at)) as Instant;
    const isFirst = index === 0 && !taken.has(id);
    const name = isFirst ? id : `${id}-${calendar.dateAt(at).replaceAll('-', '')}`;
    const filed = filedAs(record);
    let free = filed ?? name;
    for (let count = 2; filed === undefined && !isFirst && isTaken(free); count += 1)
      free = `${name}-${count}`;
    taken.add(free);
    const own = record.filter((one): one is Place & Created => !isLocked(one));
    const doubt = usedAgain(records, index, channel.numbers === 'restart');
    return { id: free, at, places: records.length === 1 ? [...own, ...undated] : own, doubt };
  });
  if (records.length === 1 || undated.length === 0) return named;
  return [...named, { id, at: Infinity as Instant, places: undated, doubt: [] }];
};

const isLocked = (one: Numbered): one is Locked => 'filedAs' in one;

/**
 * Divides the statements of one number into records, the earliest first. Two statements are of one record when the
 * moments of creation agree and no unique id says otherwise.
 */
const dividedByRecord = (statements: readonly Numbered[]): readonly (readonly Numbered[])[] => {
  const records: Numbered[][] = [];
  // Those with an id come first: one without it may be of a record that has one.
  const withIdsFirst = statements.toSorted(
    (one, other) => Number(one.uniqueId === '') - Number(other.uniqueId === '') || one.at - other.at,
  );
  for (const statement of withIdsFirst) {
    const fitting = records.filter((record) => record.some((other) => agree(other, statement)));
    if (fitting.length === 1) fitting[0]?.push(statement);
    else records.push([statement]);
  }
  const createdAt = (record: readonly Numbered[]): number => Math.min(...record.map(({ at }) => at));
  return records.sort(
    (one, other) => createdAt(one) - createdAt(other) || compareText(idOf(one), idOf(other)),
  );
};

const idOf = (record: readonly Numbered[]): string =>
  record.find(({ uniqueId }) => uniqueId !== '')?.uniqueId ?? '';

/** The finding about a record that is not surely another one than an earlier or locked one of its number. */
const usedAgain = (
  records: readonly (readonly Numbered[])[],
  index: number,
  restarts: boolean,
): readonly SaleFinding[] => {
  const record = records[index] ?? [];
  const before = records.filter((other, at) => other !== record && (at < index || other.some(isLocked)));
  const [rival] = before.findLast((other) => !areTwo(record, other, restarts)) ?? [];
  const [own] = record;
  if (!own || !rival || record.some(isLocked)) return [];
  const isSameId = own.uniqueId !== '' && own.uniqueId === rival.uniqueId;
  const why = isSameId
    ? `both have the id ${own.uniqueId}, as one order has`
    : 'and no id tells whether the two are one';
  const message = `its number was used before: ${saidAt(own)}, ${saidAt(rival)}, ${why}`;
  return holding([{ code: 'number-used-again', message }]);
};

/** Whether two records of a number are surely two: by their ids, or else by their moments if numbers restart. */
const areTwo = (one: readonly Numbered[], other: readonly Numbered[], restarts: boolean): boolean => {
  const ids = [idOf(one), idOf(other)];
  if (!ids.includes('')) return ids[0] !== ids[1];
  return restarts && !one.some((each) => other.some(({ at }) => isSameMoment(each.at, at)));
};

/** Returns a refund with the order that it belongs to, where several have its number. */
const ofItsOrder = (
  { channel }: Contest,
  refund: Place,
  orders: ReadonlyMap<string, readonly Named[]>,
): Place => {
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
  const key = saleKey(channel.name, 'refund', id);
  return { ...refund, key, sale: { ...sale, key, id, reference: order.id } };
};

/** Returns a sale under the id of its record, with its findings. */
const saleNamed = (sale: Sale, name: Pick<Sale, 'key' | 'id'>, said: readonly SaleFinding[]): Sale => {
  const remarks = said.filter((finding) => !isHolding(finding));
  const findings = [...said.filter(isHolding), ...sale.findings, ...remarks];
  const posted = sale.outcome === 'accepted' && remarks.length > 0 ? 'warning' : sale.outcome;
  return { ...sale, ...name, findings, outcome: findings.some(isHolding) ? 'review' : posted };
};
