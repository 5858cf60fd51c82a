import type { Entry } from '../evidence/entry.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import type { Statement } from '../read/shapes.ts';
import type { Identity, Sale, SetAside } from '../sales/sale.ts';
import type { LateVersion } from '../sales/sale-name.ts';
import type { LockedPeriod } from './folders.ts';

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
  /** Digest of what the exports state, to which a decision is bound. */
  readonly stated: string;
  /** The locked period that is asked about. */
  readonly period: string;
  readonly choice: LateChoice;
  /** Why the policy may not decide it; absent if it may. */
  readonly askedBecause?: 'read otherwise';
  /** For `ask`, what `next` would add. */
  readonly entries: readonly CorrectionEntry[];
  readonly today: TodaysStatement;
};
