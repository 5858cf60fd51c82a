import { saleKey } from '../close/sales/sale-name.ts';
import { contentText } from '../close/sales/sale-text.ts';
import { controlsText } from '../close/stages/extract/reading/figures.ts';
import { asPart, saleOfRecord } from '../close/stages/extract/reading/record-parts.ts';
import type { Place } from '../close/stages/extract/sales/number-places.ts';
import { keyOf, repaymentsOf } from '../close/stages/extract/sales/prepared-record.ts';
import { onceRejected } from '../close/stages/extract/sales/repeated-record.ts';
import { reachOf, settledPlaces } from '../close/stages/extract/sales/settle-numbers.ts';
import { ZERO } from '../kernel/money.ts';
import { addRepayment, type ChannelReading, knownParts, NO_EARLIER, statementOf } from './read-channel.ts';
import { addAside, addSale, dropSale, type ExportFile, placeKey, salesWith } from './read-stores.ts';

/**
 * Decides of which records the places of contested keys are, and which statement of each counts. Such keys are rare, so
 * the files are read once more for them, instead of keeping what each says of every record.
 */
export const settleContested = async (reading: ChannelReading): Promise<void> => {
  const { stores, load, contested, rejects, files, first } = reading;
  if (contested.size === 0) return;
  const reads = files.flatMap(({ read }) => read ?? []);
  const places: Place[] = [];
  for (const [index, file] of files.entries()) places.push(...(await placesIn(reading, file, first + index)));
  const settled = await settledPlaces({ ...load, reach: reachOf(load, reads) }, places, async () => ({
    has: (key) => stores.keys.get(key)?.isSale === true,
  }));
  takeOut(reading, places);
  for (const { place, aside, key } of settled.asides) {
    const { controls, file } = place;
    const once = onceRejected(aside, rejects);
    addAside(stores, {
      channel: load.channel.name,
      aside: once,
      record: key,
      controls,
      at: file ?? undefined,
    });
    if (!stores.keys.get(key)?.isSale) seeAside(reading, key, place);
  }
  for (const { place, sale } of settled.sales) {
    const { refunded = ZERO, controls, file } = place;
    const own = stores.files[file ?? 0] as ExportFile;
    addSale(stores, { ...statementOf(sale, own), refunded, controls, at: file ?? undefined });
  }
  for (const repayment of settled.repayments) addRepayment(reading.repayments, repayment);
  for (const [id, records] of settled.orders)
    if (records.length > 1)
      reading.numbers.set(
        id,
        records.map((record) => ({ id: record.id, at: record.at })),
      );
};

/** Reads the places of contested keys, and the refunds of contested orders, again. */
const placesIn = async (
  reading: ChannelReading,
  { source, open: { profile } }: ExportFile,
  at: number,
): Promise<readonly Place[]> => {
  const { load, contested, stores } = reading;
  const open = stores.files[at]?.open as ExportFile['open'];
  const places: Place[] = [];
  const orderKey = (id: string): string => saleKey(load.channel.name, 'order', id);
  for await (const { records } of open.records())
    for (const { group, record: read } of records) {
      const [row] = group.rows;
      const stated = saleOfRecord(read);
      const record =
        profile.shape.parts && stated ? asPart(read, knownParts(reading, stated), NO_EARLIER) : read;
      const key = keyOf(load, { group, record });
      const sale = saleOfRecord(record);
      const isWanted = contested.has(key) || contested.has(orderKey(sale?.reference ?? ''));
      if (!row || !isWanted) continue;
      if (!sale && (group.name === '' || profile.shape.parts)) continue;
      const refunded = 'order' in record ? record.refunded : sale && ZERO;
      const aside = 'outcome' in record ? record : undefined;
      const origin = sale?.origin ?? aside?.origin ?? { file: source.name, line: row.line, record: '' };
      places.push({
        ...open.statedOf(row),
        ...{ key, sale, aside, origin, refunded, profile, file: at, load: NO_EARLIER.number },
        isRecord: sale !== undefined || group.kind === 'record',
        digest: sale ? `${refunded} ${contentText(sale)}` : '',
        repayments: 'order' in record ? repaymentsOf(record) : [],
        ...{ rows: group.rows, controls: controlsText(open.meter.of(group.rows)) },
      });
    }
  return places;
};

/** Takes out what the first reading kept of contested keys and of these places. */
const takeOut = ({ stores, load, contested, repayments }: ChannelReading, places: readonly Place[]): void => {
  const keys = new Set([...contested, ...places.map(({ key }) => key)]);
  for (const sales of salesWith(stores, keys)) for (const sale of sales) dropSale(stores, sale);
  for (const key of keys) {
    const seen = stores.keys.get(key);
    if (seen) stores.keys.set(key, { ...seen, isSale: false, isAsideInSeveral: false });
  }
  const days = Map.groupBy(places, ({ sale, aside }) => sale?.businessDate ?? aside?.businessDate ?? '');
  for (const [day, own] of days) {
    const channel = load.channel.name;
    const wanted = new Set(own.map(({ origin }) => placeKey(channel, origin)));
    for (const { key, at, aside, controls } of stores.asides.find(day, (one) => wanted.has(one))) {
      stores.asides.drop(day, key);
      if (at !== undefined) stores.files[at]?.tally.takeBack(aside.outcome, controls);
    }
  }
  for (const { sale } of places) if (sale?.kind === 'order') repayments.delete(sale.id);
};

/** Notes that a key has records that were set aside alone. */
const seeAside = ({ stores }: ChannelReading, key: string, { file, origin }: Place): void =>
  stores.keys.set(key, {
    ...{ isSale: false, isAsideInSeveral: false, isDoubtful: false, digest: 0, instant: 0, day: '' },
    ...{ file: file ?? 0, line: origin.line },
  });
