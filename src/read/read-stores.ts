import { join } from 'node:path';
import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { instant } from '../kernel/calendar.ts';
import { sha256 } from '../kernel/json.ts';
import { type Money, ZERO } from '../kernel/money.ts';
import { partitions } from '../runtime/partitions.ts';
import type { Sale, SetAside } from '../sales/sale.ts';
import { bareName } from '../sales/sale-name.ts';
import type { Controls, FileNotes, FileTally } from './file-notes.ts';
import type { OpenExport } from './open-export.ts';
import { type SeenKey, seenKeys, textNumber } from './read-keys.ts';
import type { LockedIndex, Statement } from './shapes.ts';
import type { SourceFile } from './sort-sources.ts';

/** A statement while reading goes on. */
export type StatedSale = Statement & {
  readonly key: string;
  /** Only for an order: the amount refunded so far, tax included. */
  readonly refunded: Money;
  /** Control totals of its rows; empty for a sale that is not in a file. */
  readonly controls: Controls;
  /** The position of its file among all files; `undefined` when it was derived from an order and its repayments. */
  readonly at: number | undefined;
};

/** A record that is not a sale, by its place. */
export type StatedAside = {
  readonly key: string;
  readonly channel: string;
  readonly aside: SetAside;
  /** The key that it would have as a sale; empty where nothing tells. */
  readonly record: string;
  readonly controls: Controls;
  /** As for a sale; `undefined` for a row of a companion file, which counts its own rows. */
  readonly at: number | undefined;
};

/** A refund with rows of its own, which lies by the day of its order. */
type RefundOfOrder = {
  readonly key: string;
  readonly order: string;
  readonly refund: StatedSale;
};

/** An export of sales that is read. */
export type ExportFile = {
  /** Its position among all files. */
  readonly at: number;
  readonly source: SourceFile;
  readonly open: OpenExport;
  readonly tally: FileTally;
  /** Set when it was read to its end. */
  read?: FileNotes;
};

export const openStores = (
  configuration: LoadedConfiguration,
  locked: LockedIndex,
  folder: string,
  bytesMax?: number,
) => ({
  configuration,
  locked,
  keys: seenKeys(),
  sales: partitions<StatedSale>(join(folder, 'sales'), bytesMax),
  asides: partitions<StatedAside>(join(folder, 'asides'), bytesMax),
  files: [] as ExportFile[],
  /** Keys of orders of which something was given back. */
  refundable: new Set<string>(),
  /** Channels with refunds that have rows of their own. */
  refunding: new Set<string>(),
  /** Opens a store for refunds by the days of their orders. */
  refunds: () => partitions<RefundOfOrder>(join(folder, 'refunds'), bytesMax),
});

/** What reading fills: all of it is of this run. */
export type Stores = ReturnType<typeof openStores>;

/** Adds a sale, or puts it in the place of another one of its key and day, which is taken out first. */
export const addSale = (stores: Stores, stated: StatedSale, digest = 0): void => {
  const { sale, key, at, refunded } = stated;
  stores.sales.add(sale.businessDate, stated);
  countSale(stores, stated, 1);
  if (refunded !== ZERO) stores.refundable.add(key);
  if (at !== undefined && sale.kind === 'refund') stores.refunding.add(sale.channel);
  stores.keys.set(key, {
    isSale: true,
    isDoubtful: sale.outcome !== 'accepted',
    day: sale.businessDate,
    file: at ?? 0,
    line: sale.origin.line,
    instant: sale.instant,
    digest: digest || (stores.keys.get(key)?.digest ?? 0),
  });
};

/** Counts a sale that stands in a file there, or takes it back. */
const countSale = ({ files }: Stores, { at, sale, controls }: StatedSale, by: 1 | -1): void => {
  if (at !== undefined) files[at]?.tally.countSale(sale, controls, by);
};

/** Puts another version of a sale in its place. */
export const replaceSale = (stores: Stores, before: StatedSale, sale: Sale): void => {
  countSale(stores, before, -1);
  addSale(stores, { ...before, sale });
};

/** Takes a sale out. */
export const dropSale = (stores: Stores, stated: StatedSale): void => {
  stores.sales.drop(stated.sale.businessDate, stated.key);
  countSale(stores, stated, -1);
  stores.refundable.delete(stated.key);
};

export const addAside = (stores: Stores, stated: Omit<StatedAside, 'key'>): void => {
  const { aside, at, controls } = stated;
  stores.asides.add(aside.businessDate ?? '', { key: placeKey(stated.channel, aside.origin), ...stated });
  if (at !== undefined) stores.files[at]?.tally.count(aside.outcome, controls, 1);
};

/** What is known of a key of which all records were set aside. */
const NO_SALE: SeenKey = {
  isSale: false,
  isDoubtful: false,
  digest: 0,
  instant: instant(0),
  day: '',
  file: 0,
  line: 0,
};

/** The position that stands for several files. */
const SEVERAL = 0xffff;

/** Notes that a key has records that were set aside alone, in this file or in several. */
export const seeAside = ({ keys }: Stores, key: string, at: number): void => {
  const seen = keys.get(key);
  if (!seen?.isSale) keys.set(key, { ...NO_SALE, file: seen && seen.file !== at ? SEVERAL : at });
};

/** Takes a record that was set aside out. */
export const dropAside = (stores: Stores, { key, aside, at, controls }: StatedAside): void => {
  stores.asides.drop(aside.businessDate ?? '', key);
  if (at !== undefined) stores.files[at]?.tally.count(aside.outcome, controls, -1);
};

/** Returns the key of a record that was set aside, which is its place. */
export const placeKey = (channel: string, { file, line }: SetAside['origin']): string =>
  `${channel}/${file}:${line}`;

/** Yields the sales with some keys, day by day. */
export function* salesWith(stores: Stores, keys: Iterable<string>): Generator<StatedSale> {
  const days = new Map<string, Set<string>>();
  for (const key of keys) {
    const seen = stores.keys.get(key);
    if (seen?.isSale) days.set(seen.day, (days.get(seen.day) ?? new Set()).add(key));
  }
  for (const [day, wanted] of days) yield* stores.sales.find(day, (key) => wanted.has(key));
}

/** Returns what a sale says as a text: all but its name, and where it stands. */
export const contentText = ({ key: _, channel, kind, id, origin, rows, ...content }: Sale): string =>
  JSON.stringify(content);

/** Returns a number of 32 bits, never 0, for all that the rows of a sale say, its names included. */
export const digestOfSale = (sale: Sale, refunded: Money): number => {
  const { record, store, uniqueId } = sale.origin;
  const names = JSON.stringify([bareName(record), store, uniqueId]);
  return textNumber(`${sale.key} ${refunded} ${contentText(sale)} ${names}`) % 2 ** 32 || 1;
};

/**
 * Returns the digest of what the exports state of a sale. It leaves out what the configuration adds (categories, days in
 * the seller's zone), where it stands, whether it is held, and what was refunded since: a refund is a record of its own.
 * Fees of the state stand beside the tax.
 */
export const statedDigest = (sale: Sale): string => {
  const { country, state, zip, city, street } = sale.shipTo;
  const text = JSON.stringify([
    ...[sale.kind, sale.reference, sale.instant, sale.currency, sale.exemptionType],
    [country, state, zip, city, street],
    ...[sale.amount, sale.shipping, sale.salesTax, sale.marketplaceTax],
    sale.lines.map(({ sku, quantity, unitPrice, discount }) => [sku, quantity, unitPrice, discount]),
    ...(sale.stateFees ?? []).map(({ name, amount }) => [name, amount]),
  ]);
  return sha256(text).slice(0, 16);
};
