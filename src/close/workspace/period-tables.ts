/** What is kept of periods: how they were closed, locked and amended. `tables.ts` has the rest. */

/** The last close of a period: what its workbooks were made from, and what they said. */
export type ClosingRow = {
  entity: string;
  period: string;
  first: string;
  last: string;
  /** Where the files lie. */
  folder: string;
  /** 1 when nothing that the policy forbids was open. */
  clean: number;
  /** A list of `KeptFile`. */
  files: string;
  /** The `PeriodReport` that the files were written from. */
  report: string;
  /** What they were made from: the `Parts` of a closing. */
  parts: string;
  /** Those parts of it with which it was compared when exports were read last. */
  seen: string;
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
  /** The `PeriodReport` of the close that was locked. */
  report: string;
};

/** Where a record is filed. It is never changed; a key is filed once. */
export type FiledSaleRow = {
  entity: string;
  key: string;
  /** The lock that holds it. */
  label: string;
  /** The day with which it counts: its business date, or of what was carried the day it was carried to. */
  filed_on: string;
  /** The locked period that it came late for, and the key of the record it corrects; empty for all others. */
  source: string;
  corrects: string;
  posting: string;
  digest: string;
  /** The page of its lock that has its text and its figures. */
  page: number;
};

/** Records as they were filed, a page of them: `filed-pages.ts` reads and writes it. It is never changed. */
export type FiledPageRow = { entity: string; label: string; page: number; body: Uint8Array };

/** A piece of an output file of a locked period, in base 64. */
export type KeptFileRow = { entity: string; label: string; path: string; part: number; content: string };

/** A record that came late for a locked period and is filed elsewhere. */
export type CarriedSaleRow = {
  entity: string;
  key: string;
  /** The day with which it counts, and the amended version it belongs to; empty when it was carried forward. */
  filed_on: string;
  amendment: string;
  /** The locked period that it came late for, and the key of the record it stands for or corrects. */
  source: string;
  corrects: string;
  /** The key of the filed record that it takes back, or stands for from now on; empty where nothing stands filed. */
  replaces: string;
  business_date: string;
  posting: string;
  body: string;
  digest: string;
};

/** What somebody decided of a late item. Rows are added and never changed; the last one of a record holds. */
export type LateDecisionRow = {
  entity: string;
  number: number;
  /** The locked period. */
  period: string;
  /** The record as the exports have it. */
  key: string;
  /** `carried`, `amended`, or `revoked` when its period was unlocked. */
  choice: string;
  /** The day, or the amended version, with which it is filed. */
  destination: string;
  /** Digest of what the record said when it was decided; empty when it was not a sale any more. */
  content: string;
  decided: number;
  who: string;
  why: string;
};

/** What happened to a period, for ever. */
export type PeriodEventRow = {
  entity: string;
  number: number;
  period: string;
  /** `locked`, `unlocked`, `carried` and others: `PeriodEvent`. */
  what: string;
  at: number;
  who: string;
  why: string;
  /** The digest of the lock that was set or taken away, or of the signature that was replaced. */
  digest: string;
};

/** What a period came to in one state when it was last closed. Amounts in cents; null where it was not kept. */
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
  marketplace_orders: number | null;
  prepayments_left: number | null;
  credits_left: number | null;
};
