/**
 * The tables of the workspace: what the close knows so far. Amounts are cents, instants milliseconds, days text,
 * and whatever is never searched for stays in one JSON column.
 */

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
  /** Rows behind the header, and what became of them. `used + ignored + rejected = rows`. */
  rows: number;
  used: number;
  ignored: number;
  rejected: number;
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
  detail: string;
  calculation: string | null;
  /** The same sale with one thing changed, asked for while a variance is unexplained: a list of `StoredAlternative`. */
  alternatives: string;
};

export type SubmissionRow = {
  entity: string;
  key: string;
  service: string;
  /** Digest of the body that was sent, or is about to be. */
  body_digest: string;
  sale_digest: string;
  /** `sending` until the answer is known; then `held`, `refused` or `conflict`; `missing` when it was gone later. */
  state: string;
  detail: string;
};

export type RecordedRow = {
  entity: string;
  service: string;
  provider: string;
  kind: string;
  id: string;
  instant: number;
  business_date: string;
  body: string;
};

export type ReconciledRow = { entity: string; key: string; body: string };

export type RunRow = {
  id: string;
  entity: string;
  pipeline: string;
  period: string;
  started: number;
  finished: number | null;
  exit_code: number | null;
  figures: string;
};

/** Who signed which content of a period in which role. Rows are added and never changed. */
export type ApprovalRow = {
  entity: string;
  period: string;
  content_digest: string;
  role: string;
  name: string;
  at: number;
};

export type WorkspaceTables = {
  source_load: SourceLoadRow;
  source_file: SourceFileRow;
  sale: SaleRow;
  set_aside: SetAsideRow;
  refund_date: RefundDateRow;
  calculation: CalculationRow;
  sale_calculation: SaleCalculationRow;
  submission: SubmissionRow;
  recorded: RecordedRow;
  reconciled: ReconciledRow;
  run: RunRow;
  approval: ApprovalRow;
};
