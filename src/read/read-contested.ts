import { ZERO } from '../kernel/money.ts';
import type { ReadGroup } from '../sales/read-export.ts';
import { addRepayment, repaymentsOf } from '../sales/refunds.ts';
import type { Identity, SetAside } from '../sales/sale.ts';
import { saleKey } from '../sales/sale-name.ts';
import { asKnownPart, type ChannelReading, keyOf, statementOf } from './read-channel.ts';
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
import { type LockedPlace, reachOf, type Settled, settledPlaces } from './settle-numbers.ts';
import { agree, type Place, saidAt } from './settle-record.ts';
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
