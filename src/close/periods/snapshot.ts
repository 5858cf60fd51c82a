import type { CalendarDate } from '../../kernel/calendar.ts';
import { digestOf, type Json } from '../../kernel/digest.ts';
import type { OutputFile } from './closing.ts';

/** The figures of one state as they are filed, in cents. */
export type FiledState = {
  readonly state: string;
  readonly gross: number;
  readonly taxable: number;
  readonly collected: number;
  readonly expected: number;
  readonly recorded: number;
};

/** An exception that stood when the period was locked. */
export type StandingException = { readonly record: string; readonly code: string; readonly why: string };

/** A record that was set aside when the period was locked. */
export type FiledAside = { readonly channel: string; readonly record: string; readonly code: string };

/** Everything that a lock freezes, its sales by their digest. The digest of the lock is the digest of this. */
export type Snapshot = {
  readonly label: string;
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  readonly states: readonly FiledState[];
  readonly sales: { readonly count: number; readonly digest: string };
  /** Digest of what the workbooks were made from: the sales, and every record that was set aside. */
  readonly content: string;
  /** The rejected ones among the records that were set aside. */
  readonly asides: readonly FiledAside[];
  readonly accepted: readonly StandingException[];
  /** What was open and locked all the same, and why. */
  readonly open: readonly StandingException[];
  readonly configuration: string;
  readonly program: string;
  readonly service: string;
  readonly files: readonly OutputFile[];
};

export const snapshotDigest = (snapshot: Snapshot): string => digestOf(snapshot as unknown as Json);
