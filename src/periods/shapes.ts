import type { Entry } from '../close/evidence/entry.ts';
import type { ManifestContent } from '../close/evidence/manifest.ts';
import type { LateVersion } from '../close/sales/corrections.ts';
import type { Identity, Sale, SetAside } from '../close/sales/sale.ts';
import type { Statement } from '../core/shapes.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import type { FilingPeriod } from '../kernel/period.ts';

/** One line of `locks.ndjson` beside `tieout.yaml`, and of `evidence/lock.json` in the folder it names. */
export type LockLine = {
  readonly entity: string;
  /** The period without its version: `2026-10`. */
  readonly period: string;
  /** 0 for the period itself, n for its n-th amended version. */
  readonly version: number;
  readonly what: 'signed' | 'locked' | 'unlocked';
  /** The folder of the version, relative to the folder of the register, with slashes. */
  readonly folder: string;
  /** SHA-256 of the manifest's bytes. */
  readonly manifest: string;
  readonly by: {
    readonly name: string;
    readonly role: string;
    /** The SSH signature of the line's statement; `null` for a name without a key. */
    readonly signature: string | null;
  };
  /** When, as `2026-11-03T09:30:00.000Z`. */
  readonly at: string;
  /** Why an exception may stand, or why it was unlocked; empty if nothing needs a reason. */
  readonly why: string;
  /** SHA-256 of the register's line before; empty for the first line. */
  readonly before: string;
};

/** A locked period in its version in effect. Its label is that of the period, without the version. */
export type LockedPeriod = FilingPeriod & {
  readonly version: number;
  /** The label of the version: `2026-10-amended-1`, or that of the period. */
  readonly name: string;
  /** The absolute path of its folder. */
  readonly folder: string;
  readonly content: ManifestContent;
  /** Whether it is over locked periods within it: it holds returns, and its entries are theirs. */
  readonly isOfReturns: boolean;
};

/** The locks of an entity, as the register and the folders say. */
export type Locks = {
  /** Every line of the register, of other entities as well. */
  readonly lines: readonly LockLine[];
  /** Every locked version of a period, in the order of their locks. */
  readonly versions: readonly LockedPeriod[];
  /** The locked periods that hold entries, in the order of their days; no two have a day in common. */
  readonly periods: readonly LockedPeriod[];
  /** The locked periods over others. */
  readonly ofReturns: readonly LockedPeriod[];
  /** The locked period that has the day. */
  readonly holding: (day: CalendarDate) => LockedPeriod | undefined;
  /** The day itself if it is open, else the first open day behind the lock that has it. */
  readonly openFrom: (day: CalendarDate) => CalendarDate;
};

/** What an entry line has beside the sale and its figures. */
export type EntryMarks = {
  /** Digest of the statement as read, 16 hex digits: before decisions, certificates and links to orders. */
  readonly stated: string;
  readonly identity: Identity;
  /** Absent for the first version, under the key of the sale itself. */
  readonly version?: LateVersion;
};

/** A sale as a locked folder has it. */
export type LockedEntry = Omit<Entry, 'stated' | 'identity' | 'version'> &
  EntryMarks & {
    readonly period: LockedPeriod;
    /** SHA-256 of the file that stated it; empty if its folder names none. */
    readonly file: string;
  };

/** All that the locked periods say of one sale. */
export type LockedSale = {
  readonly key: string;
  /** Its versions in the order of their numbers. */
  readonly versions: readonly LockedEntry[];
  /** The posted versions that no reversal takes back. */
  readonly standing: readonly LockedEntry[];
  readonly reversals: ReadonlySet<number>;
  readonly identity: Identity;
  /** Whether nothing stands although the last reversal gave way to a statement: the other half was never locked. */
  readonly isHalf: boolean;
};

/** What the exports state of a sale today. A sale that they do not name has no statement: absence says nothing. */
export type TodaysStatement = {
  readonly key: string;
  /** SHA-256 of the file. */
  readonly file: string;
  /** The sale, or the record that was set aside in its place; neither if only a reversal is owed. */
  readonly statement?: Statement;
  readonly aside?: SetAside;
};

/** How a late item is settled; `ask` until somebody decides. */
export type LateChoice = 'ask' | 'next' | 'amend' | 'leave';

/** Where an entry of a correction counts: in the open period that has the day, or in the next amended version. */
export type Place = { readonly day: CalendarDate } | { readonly amends: string };

/** A reversal or a re-entry that a correction adds. */
export type CorrectionEntry = {
  readonly sale: Sale;
  readonly marks: EntryMarks;
  /** The locked entry that a reversal takes back, with the figures that it negates. */
  readonly reverses?: LockedEntry;
  readonly place: Place;
};

/** The difference between the locked entries in effect and today's statement of one sale. Computed, never stored. */
export type Correction = {
  readonly key: string;
  readonly kind: 'new' | 'changed' | 'withdrawn';
  /** Digest of what the exports state, to which a decision is bound; empty if nothing is stated. */
  readonly stated: string;
  /** The locked period that is asked about. */
  readonly period: string;
  readonly choice: LateChoice;
  /** Why the policy may not decide it; absent if it may. */
  readonly askedBecause?: 'held' | 'read otherwise';
  /** For `ask`, what `next` would add. */
  readonly entries: readonly CorrectionEntry[];
  readonly today: TodaysStatement;
};

/** Whether a return is done: its five words in `status`. */
export type ReturnStatus = 'to file' | 'filed' | 'not due' | 'nothing to file' | 'blocked';

/** A line of `filings.csv`: that a return of one version of a period was filed. Days as `2026-11-20`. */
export type Filing = {
  readonly entity: string;
  /** With its version: `2026-10` or `2026-10-amended-1`. */
  readonly period: string;
  /** As `status --json` names it: `TX`, `CO Denver`. */
  readonly return: string;
  readonly on: CalendarDate;
  readonly confirmation: string;
  /** The amount that was filed, in cents; absent if it was that of the books. */
  readonly amount?: number;
  readonly paid?: number;
  readonly paidOn?: CalendarDate;
  /** File and line. */
  readonly place: string;
};
