/** The tables about periods: how they were closed, locked and amended. `tables.ts` has the others. */

/** The last close of a period: the inputs of its workbooks, and its report. */
export type ClosingRow = {
  entity: string;
  period: string;
  first: string;
  last: string;
  /** The folder of the files. */
  folder: string;
  /** 1 when nothing that the policy forbids was open. */
  clean: number;
  /** A list of `OutputFile`. */
  files: string;
  /** The `PeriodReport` that the files were written from, without its exceptions. */
  report: string;
  /** The inputs of the files: the `Parts` of a closing. */
  parts: string;
  /** The parts with which the closing was compared when exports were last read. */
  seen: string;
};

/** A page of the exceptions of a closing. */
export type ClosingExceptionsRow = {
  entity: string;
  period: string;
  /** From 1, in the order of the exceptions. */
  page: number;
  /** A list of `Exception`. */
  body: string;
};

/** A locked period, or an amended version of one, which is `open` until it is closed and locked itself. */
export type PeriodLockRow = {
  entity: string;
  /** `2026-10`, or `2026-10-amended-1`. */
  label: string;
  /** The period that was locked first, whatever the version. */
  period: string;
  /** 0, or the number of the amendment. */
  version: number;
  first: string;
  last: string;
  state: 'locked' | 'open';
  /** Digest of everything in it; empty while it is open. */
  digest: string;
  /** A `Snapshot`. */
  body: string;
};

/** The place where a record is filed. It is never changed; a key is filed once. */
export type FiledSaleRow = {
  entity: string;
  key: string;
  /** The lock that holds it. */
  label: string;
  /** The day on which it counts: its business date, or the day it was carried to. */
  filed_on: string;
  /** The locked period that it was late for, and the key of the record it corrects; empty for all others. */
  source: string;
  corrects: string;
  posting: string;
  digest: string;
  /** The page of its lock that contains its text and its figures. */
  page: number;
};

/** A page of records as they were filed, read and written by `filed-pages.ts`. It is never changed. */
export type FiledPageRow = { entity: string; label: string; page: number; body: Uint8Array };

/** A piece of an output file of a locked period, in base 64. */
export type KeptFileRow = { entity: string; label: string; path: string; part: number; content: string };

/** A record that was late for a locked period and is filed elsewhere. */
export type CarriedSaleRow = {
  entity: string;
  key: string;
  /** The day on which it counts, and its amended version; `amendment` is empty when it was carried forward. */
  filed_on: string;
  amendment: string;
  /** The locked period that it was late for, and the key of the late record, which may be its own. */
  source: string;
  corrects: string;
  /** The key of the filed record that it reverses or replaces; empty when nothing is filed. */
  replaces: string;
  business_date: string;
  posting: string;
  body: string;
  digest: string;
};

/** A person's decision on a late item. Rows are added and never changed; the last one for a record applies. */
export type LateDecisionRow = {
  entity: string;
  number: number;
  /** The locked period. */
  period: string;
  /** The key of the record in the exports. */
  key: string;
  /** `carried`, `amended`, or `revoked` when its period was unlocked. */
  choice: string;
  /** The day on which it is filed, or the label of the amended version; empty if there is nothing to file. */
  destination: string;
  /** Digest of what the exports stated when it was decided; empty when the record was not a sale any more. */
  content: string;
  decided: number;
  who: string;
  why: string;
};

/** An event of a period, kept permanently. */
export type PeriodEventRow = {
  entity: string;
  number: number;
  period: string;
  /** `locked`, `unlocked`, `carried` and others: `PeriodEvent`. */
  what: string;
  at: number;
  who: string;
  why: string;
  /** The digest of the lock that was set or removed, or of the signature that was replaced. */
  digest: string;
};

/** The totals of a period in one state at its last close. Amounts are in cents; null where not stored. */
export type PeriodStateRow = {
  entity: string;
  period: string;
  state: string;
  orders: number;
  refunds: number;
  gross: number;
  collected: number;
  expected: number;
  taxable: number | null;
  exempt: number | null;
  resale: number | null;
  marketplace: number | null;
  transactions: number | null;
  marketplace_orders: number | null;
  prepayments_left: number | null;
  credits_left: number | null;
};
