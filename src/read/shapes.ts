import type { ChannelSetAside } from '../books/files-to-fill-in.ts';
import type { RegisterFile } from '../certificates/read-register.ts';
import type { InputFile } from '../figures/period-report.ts';
import type { BalanceFile } from '../figures/roll-forward.ts';
import type { ReconciledSale } from '../judge/reconciled-sale.ts';
import type { FoundOrder } from '../judge/refund-link.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { type FilingPeriod, isWithin } from '../kernel/period.ts';
import { compareKeys } from '../kernel/text.ts';
import type { Identity, Sale } from '../sales/sale.ts';
import { type LateVersion, saleKey, serviceId } from '../sales/sale-name.ts';

/** A sale as its exports state it, completed with what its order knows and what was decided of it. */
export type Statement = {
  readonly sale: Sale;
  /**
   * Digest (16 hex digits) of what the exports state: before decisions, certificates and what the order of a refund adds.
   * It says nothing of where the statement stands, nor of whether the sale is held.
   */
  readonly stated: string;
  readonly identity: Identity;
  /** SHA-256 of the file that states it; of a refund that was derived, the file of its order or of its repayment. */
  readonly file: string;
  /** Set for a correction of a locked sale. */
  readonly version?: LateVersion;
  /** Of a reversal: the figures that it takes back. */
  readonly reverses?: ReconciledSale;
};

/** Items by business day, in memory and beyond some number of them in files. */
type Partitions<Item> = {
  readonly days: () => readonly CalendarDate[];
  /** Returns the items of a day in the order of their keys. */
  readonly read: (day: CalendarDate) => readonly Item[];
};

/** The same, and a day, however large, in the order of its keys, some at a time. */
type LargePartitions<Item> = Partitions<Item> & {
  /** The items of a day with these keys. */
  readonly find: (day: CalendarDate, isWanted: (key: string) => boolean) => readonly Item[];
  readonly parts: (day: CalendarDate) => Iterable<readonly Item[]>;
};

/** The order that refunds name: as the exports have it, or why it is not a sale, and all of its posted refunds by their days. */
export type RefundedOrderOf = FoundOrder & {
  readonly refunds: readonly Pick<Sale, 'id' | 'businessDate' | 'amount' | 'salesTax'>[];
};

/** A file of sales as it was read: what a later reading needs to know to pass over it. */
export type FileReading = {
  readonly channel: string;
  readonly path: string;
  readonly sha256: string;
  /** Digest of the profiles and settings that it was read with. */
  readonly reader: string;
  /** The first and the last business day of its records. */
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  /** Whether it says all by itself, and nothing of it is held or rejected. */
  readonly isSettled: boolean;
};

/** All that the exports say, of whatever period. */
export type Exports = {
  /** The files in order of channel and path: those that were read or left out, and tables that no channel reads. */
  readonly inputs: readonly InputFile[];
  /** Cells of the header of each file, by `<channel>/<path>`. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** How each file of sales was read that has a day. */
  readonly readings: readonly FileReading[];
  /** Files that were passed over because locked periods have settled all they say. */
  readonly settled: readonly FileReading[];
  /** Records that are not sales, by day; those without a day are of `undated`. */
  readonly asides: Partitions<ChannelSetAside>;
  readonly undated: readonly ChannelSetAside[];
  /** The orders that refunds name, by the key of the order, of whatever period. */
  readonly refunded: ReadonlyMap<string, RefundedOrderOf>;
  readonly sales: LargePartitions<Statement>;
  /** Whether the exports have a sale or a record that was set aside under a key. */
  readonly has: (key: string) => boolean;
  readonly certificates: readonly RegisterFile[];
  readonly ledger: BalanceFile | undefined;
  /** What the reading came to, in words. */
  readonly summary: string;
};

/** Returns the days of a period that have sales. */
export const daysOf = ({ sales }: Pick<Exports, 'sales'>, period: FilingPeriod): readonly CalendarDate[] =>
  sales.days().filter((day) => isWithin(period, day));

/** Yields the sales of a period, day by day. */
export function* allSales(exports: Pick<Exports, 'sales'>, period: FilingPeriod): Generator<Sale> {
  for (const day of daysOf(exports, period))
    for (const statements of exports.sales.parts(day)) for (const { sale } of statements) yield sale;
}

/** The records that are set aside in the period, or without a date, by channel and place. */
export const asidesOf = (
  { asides, undated }: Pick<Exports, 'asides' | 'undated'>,
  period: FilingPeriod,
): readonly ChannelSetAside[] => {
  const all = [...undated];
  for (const day of asides.days()) {
    if (!isWithin(period, day)) continue;
    all.push(...asides.read(day));
  }
  return all.sort(inFile);
};

/** The order of files and their lines. */
export const inFile = (one: ChannelSetAside, other: ChannelSetAside): number =>
  compareKeys(one.channel, other.channel) ||
  compareKeys(one.origin.file, other.origin.file) ||
  one.origin.line - other.origin.line;

/** The key that a record would have as a sale; one that no sale has where its row names none. */
export const keyOfAside = ({ channel, origin, refundId }: ChannelSetAside): string =>
  refundId === undefined
    ? saleKey(channel, 'order', serviceId(origin.record))
    : saleKey(channel, 'refund', refundId);

/** A record of locked folders: its first key, and its sale as it is filed. */
export type LockedRecord = {
  readonly key: string;
  readonly sale: Sale;
  readonly identity: Identity;
};

/** What locked folders know, as far as reading and settling need it. */
export type LockedIndex = {
  /** What stands of a sale, and whether other locked sales have its number. */
  readonly has: (key: string) => { readonly stated: string; readonly isShared: boolean } | undefined;
  /** The records that the source calls by the numbers of these keys, by these keys; their own keys may be others. */
  readonly named: (keys: ReadonlySet<string>) => Promise<ReadonlyMap<string, readonly LockedRecord[]>>;
  /** The reading of these bytes by this reader, if locked periods have settled all that it came to. */
  readonly settled: (sha256: string, reader: string) => FileReading | undefined;
};

/** No period is locked. */
export const NO_LOCKS: LockedIndex = {
  has: () => undefined,
  named: async () => new Map(),
  settled: () => undefined,
};
