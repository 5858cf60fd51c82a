import type { LedgerFileRow } from './ledger-files.ts';
import type {
  CarriedSaleRow,
  ClosingRow,
  FiledPageRow,
  FiledSaleRow,
  KeptFileRow,
  LateDecisionRow,
  PeriodEventRow,
  PeriodLockRow,
  PeriodStateRow,
} from './period-tables.ts';
import type { DecidedRecordRow, RecordedRow, RefundAdjustmentRow } from './service-tables.ts';

/**
 * The tables of the workspace: what the close knows so far. Amounts are cents, instants milliseconds, days text,
 * and whatever is never searched for stays in one JSON column.
 */

/** The newest load of a channel. Its number is the highest of the entity so far; the digest is empty until it has ended. */
export type SourceLoadRow = { entity: string; channel: string; digest: string; number: number };

/** Time zones in which a channel was ever read: of days without a time, and of cells that show a clock. */
export type ReadingZoneRow = { entity: string; channel: string; time_zone: string; channel_zone: string };

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

/**
 * A part of a file between two records, as the newest load of its channel read it: where it is the same in the next one, it is
 * not read again.
 */
export type SourceBlockRow = {
  entity: string;
  channel: string;
  /** The place of its file in the order of reading, and the name of that. */
  file: number;
  path: string;
  /** The line on which it begins. The first block of a file begins with the file. */
  line: number;
  bytes: number;
  /** Digest of its bytes and of all else that decides how they are read. */
  digest: string;
  /** What its rows say about the file: its `FileNotes`. */
  notes: string;
};

/**
 * What is searched for of a sale; its key says its channel, kind and id. The sale itself stands in the page of its day, or
 * in `sale_change` until that is written.
 */
export type SaleRow = {
  entity: string;
  key: string;
  business_date: string;
  instant: number;
  /** What `postingOf` says. */
  posting: string;
  digest: string;
  /** The order that a refund belongs to, by its id; empty for orders. */
  reference: string;
  /** What was given back of an order so far, tax included, as its export tells. */
  refunded: number;
  /** The load that last saw it, by its number. */
  load: number;
  /** In which file of that load, by its place in the order of reading; null where it was worked out from others. */
  file: number | null;
  /** The line of that file on which it begins. */
  line: number | null;
  /** `accepted`, `warning` or `review`. */
  outcome: string;
  /** What its rows come to: their number, the sums of the columns of money, cells that are none; empty for what stands in no file. */
  controls: string;
};

/** Sales of one day that were put into the workspace, or left their day, together since its pages were written. */
export type SaleChangeRow = {
  entity: string;
  day: string;
  /** 1 for the first change of the day; what a later one says of a sale holds. */
  number: number;
  /** The least and the greatest of their keys. */
  first: string;
  last: string;
  /** A line of JSON for each of them, as in a page, or the key alone of one that left: compressed, in base 64. */
  body: string;
};

/** Sales of one day between two keys: `sale-pages.ts` reads and writes it. */
export type SalePageRow = {
  entity: string;
  day: string;
  /** The keys behind which it begins and ends; empty at the ends of a day. */
  after: string;
  last: string;
  /** Digest of the text. */
  checksum: string;
  /** Digest of what its sales say, wherever they were found. */
  content: string;
  rows: number;
  /** A line of JSON for each sale, compressed. */
  body: Uint8Array;
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
  /** What its rows come to, as of a sale. */
  controls: string;
  /** 1 of a rejected record that the newest load did not find: it stays open, as a sale stays that is not found. */
  gone: number;
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
  /** The load that last saw it, by its number. */
  load: number;
};

/** What a row of a tax report says of its order: a `ReportedTax`. */
export type TaxReportRow = {
  entity: string;
  channel: string;
  file: string;
  line: number;
  order_id: string;
  day: string;
  body: string;
};

export type CalculationRow = { digest: string; service: string; request: string; result: string };

/** What a stage found about the sales of a page: `stage-pages.ts` reads and writes it. */
export type PageRow = {
  entity: string;
  stage: string;
  slot: string;
  /** Digest of everything that it was made from. */
  input: string;
  /** Digest of the rows as packed JSON. */
  digest: string;
  rows: number;
  /** Rows that are to be looked at again. */
  open: number;
  /** The rows as packed JSON, compressed. */
  body: Uint8Array;
};

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
  /** Of the key that signed, as OpenSSH has it; empty where there is none. */
  signature: string;
};

/** A request that was answered again while everything is being asked again; gone when that is through. */
export type AskedAgainRow = { entity: string; digest: string };

export type WorkspaceTables = {
  source_load: SourceLoadRow;
  reading_zone: ReadingZoneRow;
  source_file: SourceFileRow;
  source_block: SourceBlockRow;
  sale: SaleRow;
  sale_change: SaleChangeRow;
  sale_page: SalePageRow;
  set_aside: SetAsideRow;
  refund_date: RefundDateRow;
  tax_report: TaxReportRow;
  certificate_file: CertificateFileRow;
  ledger_file: LedgerFileRow;
  calculation: CalculationRow;
  page: PageRow;
  refund_adjustment: RefundAdjustmentRow;
  recorded: RecordedRow;
  decided_record: DecidedRecordRow;
  run: RunRow;
  approval: SignatureRow;
  closing: ClosingRow;
  period_lock: PeriodLockRow;
  filed_sale: FiledSaleRow;
  filed_page: FiledPageRow;
  kept_file: KeptFileRow;
  carried_sale: CarriedSaleRow;
  late_decision: LateDecisionRow;
  period_event: PeriodEventRow;
  period_state: PeriodStateRow;
  asked_again: AskedAgainRow;
};

/** One file of the register of exemption certificates, as it was last read. */
type CertificateFileRow = {
  entity: string;
  path: string;
  /** Its place among the files of the register, from 0. */
  position: number;
  sha256: string;
  bytes: number;
  /** Rows behind the header, and what became of them. `used + ignored + rejected = rows`. */
  rows: number;
  used: number;
  ignored: number;
  rejected: number;
  /** Its certificates and the problems of its rows. */
  body: string;
};
