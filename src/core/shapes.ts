import type { RegisterFile } from '../close/certificates/read-register.ts';
import type { InputFile } from '../close/figures/period-report.ts';
import type { BalanceFile } from '../close/general-ledger/read-balances.ts';
import type { FoundOrder } from '../close/reconcile/refund-link.ts';
import type { ChannelSetAside } from '../close/report/write-rejects.ts';
import type { Identity, Sale } from '../close/sales/sale.ts';
import type { CalendarDate } from '../kernel/calendar.ts';

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
};

/** Items by business day, in memory and beyond some number of them in files. */
export type Partitions<Item> = {
  readonly days: () => readonly CalendarDate[];
  /** Returns the items of a day in the order of their keys, and forgets them. */
  readonly take: (day: CalendarDate) => readonly Item[];
  /** Returns the same and keeps them. */
  readonly read: (day: CalendarDate) => readonly Item[];
};

/** The order that refunds name: as the exports have it, or why it is not a sale, and all of its posted refunds by their days. */
export type RefundedOrderOf = FoundOrder & {
  readonly refunds: readonly Pick<Sale, 'id' | 'businessDate' | 'amount' | 'salesTax'>[];
};

/** All that the exports say, of whatever period. */
export type Exports = {
  /** Rows of all files of sales and companions. */
  readonly rows: number;
  /** The files in order of channel and path: those that were read or left out, and tables that no channel reads. */
  readonly inputs: readonly InputFile[];
  /** Cells of the header of each file, by `<channel>/<path>`. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Files that were passed over because a locked period has settled all they say. */
  readonly settled: readonly { readonly channel: string; readonly path: string; readonly sha256: string }[];
  /** Records that are not sales, by day; those without a day are of `undated`. */
  readonly asides: Partitions<ChannelSetAside>;
  readonly undated: readonly ChannelSetAside[];
  /** The orders that refunds name, by the key of the order, of whatever period. */
  readonly refunded: ReadonlyMap<string, RefundedOrderOf>;
  readonly sales: Partitions<Statement>;
  /** Whether the exports have a sale or a record that was set aside under a key. */
  readonly has: (key: string) => boolean;
  readonly certificates: readonly RegisterFile[];
  readonly ledger: BalanceFile | undefined;
  /** Names of tables beside the exports that no channel reads. */
  readonly beside: readonly string[];
  /** What the reading came to, in words. */
  readonly summary: string;
};

/** A record of a locked folder by its name. */
export type LockedName = Identity & { readonly key: string };

/** What locked folders know, as far as reading and settling need it. */
export type LockedIndex = {
  /** The digest and the version of the last entry of a sale. */
  readonly has: (key: string) => { readonly stated: string; readonly version: number } | undefined;
  /** The records that the source calls by a number, whatever their keys are. */
  readonly named: (channel: string, kind: Sale['kind'], number: string) => Promise<readonly LockedName[]>;
  /** The sale of an entry in effect, such as the order of a later refund. */
  readonly sale: (key: string) => Promise<Sale | undefined>;
  /** The label of the locked period that has a day. */
  readonly holds: (day: CalendarDate) => string | undefined;
  /** Whether locked periods have settled all that these bytes say to this reader. */
  readonly isSettled: (sha256: string, reader: string) => boolean;
};

/** No period is locked. */
export const NO_LOCKS: LockedIndex = {
  has: () => undefined,
  named: async () => [],
  sale: async () => undefined,
  holds: () => undefined,
  isSettled: () => false,
};
