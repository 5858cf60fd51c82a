import type { CertificateFileRow } from './certificate-file-row.ts';

/**
 * The tables of the workspace: what the close knows so far. Amounts are cents, instants milliseconds, days text,
 * and whatever is never searched for stays in one JSON column.
 */

import type { AnsweringRow, RecordedRow, RefundAdjustmentRow, SubmissionRow } from './service-tables.ts';

export type SourceLoadRow = { entity: string; channel: string; digest: string };

export type SourceFileRow = {
  entity: string;
  channel: string;
  path: string;
  sha256: string;
  bytes: number;
  profile: string;
  /** Its header cells, a JSON list. */
  header: string;
  /** Rows behind the header as they were read, and what became of them. `used + ignored + rejected = rows`. */
  rows: number;
  used: number;
  ignored: number;
  rejected: number;
  /** Its `FileControls`: the same by column of money and by outcome. */
  controls: string;
  /** What is unusual about it, though it could be read: a list of `Remark`. */
  notices: string;
};

export type SaleRow = {
  entity: string;
  key: string;
  channel: string;
  kind: string;
  id: string;
  business_date: string;
  instant: number;
  /** What `postingOf` says. */
  posting: string;
  body: string;
  digest: string;
  /** The order that a refund belongs to, by its id; empty for orders. */
  reference: string;
  /** What was given back of an order so far, tax included, as its export tells. */
  refunded: number;
  /** 1 for a refund that was worked out from an order and its repayments, 0 for what stands in a file. */
  derived: number;
  /** The load that last saw it, and where. */
  load: string;
  file: string;
  line: number;
  /** `accepted`, `warning` or `review`. */
  outcome: string;
  /** What its rows come to, as `figuresText` has it; empty for what stands in no file. */
  controls: string;
};

export type SetAsideRow = {
  entity: string;
  channel: string;
  file: string;
  line: number;
  record: string;
  outcome: string;
  code: string;
  /** Null when it cannot be read; such a record is shown in every period. */
  business_date: string | null;
  body: string;
  /** The key that a sale of this name would have; empty when its rows name none. */
  key: string;
  /** What its rows come to, as `figuresText` has it. */
  controls: string;
};

/** A repayment. It is known by what it is and not by where it stood, and stays known when its file is gone. */
export type RefundDateRow = {
  entity: string;
  channel: string;
  order_id: string;
  instant: number;
  amount: number;
  /** 1, or more for equal repayments of one instant. */
  copy: number;
  file: string;
  line: number;
  /** The load that last saw it. */
  load: string;
};

export type CalculationRow = { digest: string; service: string; request: string; result: string };

export type SaleCalculationRow = {
  entity: string;
  key: string;
  /** The sale and the circumstances it was calculated for; when either changes it is calculated anew. */
  sale_digest: string;
  context: string;
  /** `calculated`; why nothing is due, so that nothing was asked; or `refused`, with the reason as detail. */
  basis: 'calculated' | 'no registration' | 'marketplace' | 'refused';
  /** `unexplained` where no alternative explains the variance so far, so that the next run looks again. */
  detail: string;
  calculation: string | null;
  /** The same sale with one thing changed, asked for while a variance is unexplained: a list of `StoredAlternative`. */
  alternatives: string;
};

export type ReconciledRow = { entity: string; key: string; body: string };

export type RunRow = {
  id: string;
  entity: string;
  /** 1 for the first run of the entity; the clock may jump, this does not. */
  number: number;
  pipeline: string;
  period: string;
  started: number;
  finished: number | null;
  exit_code: number | null;
  figures: string;
};

/** A signature: who signed which content of a period in which role. Rows are added and never changed. */
export type SignatureRow = {
  entity: string;
  period: string;
  content_digest: string;
  role: string;
  name: string;
  at: number;
};

/** The last close of a period: what its workbooks were made from, and what they said. */
export type ClosingRow = {
  entity: string;
  period: string;
  first: string;
  last: string;
  /** Where the files lie. */
  folder: string;
  /** Digest of every sale of the period with its figures, and of what was set aside. */
  content: string;
  /** Digest of the configuration, as far as it decides figures. */
  configuration: string;
  program: string;
  service: string;
  /** 1 when nothing that the policy forbids was open. */
  clean: number;
  /** A list of `KeptFile`. */
  files: string;
  /** The `PeriodReport` that the files were written from. */
  report: string;
  /** Digest of everything that they were drawn from; empty where it is not known. */
  drawn_from: string;
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

/** A record as it was filed. It is never changed; a key is filed once. */
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
  body: string;
  digest: string;
  /** Its `ReconciledSale`; null when it was not posted. */
  figures: string | null;
};

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
  business_date: string;
  posting: string;
  body: string;
  digest: string;
  /** Of a record that takes back a filed one: the figures of that one as they were filed. */
  takes_back: string | null;
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
  /** Digest of what the record said when it was decided; empty when it was no sale any more. */
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
  /** `locked`, `unlocked`, `carried` or `amended`. */
  what: string;
  at: number;
  who: string;
  why: string;
  /** The digest of the lock that was set or taken away. */
  digest: string;
};

/** A request that was answered anew while everything is being asked again; gone when that is through. */
export type AskedAgainRow = { entity: string; digest: string };

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

export type WorkspaceTables = {
  source_load: SourceLoadRow;
  source_file: SourceFileRow;
  sale: SaleRow;
  set_aside: SetAsideRow;
  refund_date: RefundDateRow;
  certificate_file: CertificateFileRow;
  calculation: CalculationRow;
  sale_calculation: SaleCalculationRow;
  submission: SubmissionRow;
  refund_adjustment: RefundAdjustmentRow;
  recorded: RecordedRow;
  reconciled: ReconciledRow;
  run: RunRow;
  approval: SignatureRow;
  closing: ClosingRow;
  period_lock: PeriodLockRow;
  filed_sale: FiledSaleRow;
  kept_file: KeptFileRow;
  carried_sale: CarriedSaleRow;
  late_decision: LateDecisionRow;
  period_event: PeriodEventRow;
  period_state: PeriodStateRow;
  asked_again: AskedAgainRow;
  answering: AnsweringRow;
};
