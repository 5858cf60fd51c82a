import type { LedgerFileRow } from './ledger-files.ts';
import type {
  CarriedSaleRow,
  ClosingExceptionsRow,
  ClosingRow,
  FiledPageRow,
  FiledSaleRow,
  KeptFileRow,
  LateDecisionRow,
  PeriodEventRow,
  PeriodLockRow,
  PeriodStateRow,
} from './period-tables.ts';
import type {
  ChannelProviderRow,
  DecidedRecordRow,
  RecordedRow,
  RefundAdjustmentRow,
} from './service-tables.ts';

/**
 * The tables of the workspace: everything that the close has stored so far. Amounts are cents, instants milliseconds,
 * days text, and all values that are never searched for are in one JSON column.
 */

/**
 * The newest load of a channel. Its number is higher than all earlier ones of the entity; the digest is empty until it
 * has ended. The row without a channel has the digest of what the tables that no channel reads were judged by.
 */
export type SourceLoadRow = { entity: string; channel: string; digest: string; number: number };

/** Time zones in which a channel was ever read: for days without a time, and for cells that show a clock time. */
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
  /** Rows after the header as they were read, and their outcomes. `used + ignored + rejected = rows`. */
  rows: number;
  used: number;
  ignored: number;
  rejected: number;
  /** Its `FileControls`: the same totals by column of money and by outcome. */
  controls: string;
  /** Unusual properties of a file that could be read: a list of `SaleFinding`. */
  notices: string;
};

/**
 * The columns of a sale that are searched for; its key contains its channel, kind and id. The sale itself is in the
 * page of its day, or in `sale_change` until that page is written.
 */
export type SaleRow = {
  entity: string;
  key: string;
  business_date: string;
  instant: number;
  /** The result of `postingOf`. */
  posting: string;
  digest: string;
  /** The order that a refund belongs to, by its id; empty for orders. */
  reference: string;
  /** The refunded amount of an order so far, tax included, as its export states it. */
  refunded: number;
  /** The number of the load that last found it. */
  load: number;
  /** Its file, by position in the reading order of that load; null when it was derived from other records. */
  file: number | null;
  /** The line of that file on which it begins. */
  line: number | null;
  /** `accepted`, `warning` or `review`; `posted`, or `posted in part`, after a person's decision: see `outcomeOf`. */
  outcome: string;
  /**
   * The control totals of its rows: their number, the sums of the columns of money, and cells that are not amounts;
   * empty for a sale that is not in a file.
   */
  controls: string;
};

/** Sales that were added to a day, or removed from it, in one step since its pages were last written. */
export type SaleChangeRow = {
  entity: string;
  day: string;
  /** 1 for the first change of the day. A later change of the same sale takes precedence. */
  number: number;
  /** The first and the last of their keys. */
  first: string;
  last: string;
  /** A line of JSON for each sale, as in a page, or the key alone if it left the day: compressed, in base 64. */
  body: string;
};

/** Sales of one day between two keys, read and written by `sale-pages.ts`. */
export type SalePageRow = {
  entity: string;
  day: string;
  /** The keys after which it begins and ends; empty at the beginning and end of a day. */
  after: string;
  last: string;
  /** Digest of the text. */
  checksum: string;
  /** Digest of the content of its sales, wherever they were found. */
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
  /** Null when it cannot be read. Such a record is shown in every period. */
  business_date: string | null;
  body: string;
  /** The key that a sale of this name would have; empty when its rows have no name. */
  key: string;
  /** The control totals of its rows, as for a sale. */
  controls: string;
  /**
   * 0 for a record that the newest load found. Otherwise the record was rejected, and this is the number of the load that
   * first did not find it: it stays open, like a sale that is not found.
   */
  gone: number;
};

/** A repayment. It is identified by its content and not by its place, and it stays when its file is gone. */
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
  /** The number of the load that last found it. */
  load: number;
};

/** A row of a tax report on its order: a `ReportedTax`. */
export type TaxReportRow = {
  entity: string;
  channel: string;
  file: string;
  line: number;
  order_id: string;
  body: string;
};

export type CalculationRow = { digest: string; service: string; request: string; result: string };

/** The results of a stage for a page of sales, read and written by `stage-pages.ts`. */
export type PageRow = {
  entity: string;
  stage: string;
  slot: string;
  /** Digest of everything that it was made from. */
  input: string;
  /** Digest of the rows as packed JSON. */
  digest: string;
  rows: number;
  /** The number of rows that must be processed again. */
  open: number;
  /** The rows as packed JSON, compressed. */
  body: Uint8Array;
};

export type RunRow = {
  id: string;
  entity: string;
  /** 1 for the first run of the entity. Unlike the clock, it never jumps. */
  number: number;
  pipeline: string;
  period: string;
  started: number;
  finished: number | null;
  exit_code: number | null;
  figures: string;
};

/** A signature: who signed which content of a period in which role. A later one of the same role replaces it. */
export type SignatureRow = {
  entity: string;
  period: string;
  content_digest: string;
  role: string;
  name: string;
  at: number;
  /** The signature of a key in OpenSSH format; empty for a signature by name only. */
  signature: string;
};

/** A request that was already answered again while all requests are being repeated; deleted when that is done. */
export type AskedAgainRow = { entity: string; digest: string };

export type WorkspaceTables = {
  source_load: SourceLoadRow;
  reading_zone: ReadingZoneRow;
  source_file: SourceFileRow;
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
  channel_provider: ChannelProviderRow;
  run: RunRow;
  approval: SignatureRow;
  closing: ClosingRow;
  closing_exceptions: ClosingExceptionsRow;
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
  /** Its position among the files of the register, from 0. */
  position: number;
  sha256: string;
  bytes: number;
  /** Rows after the header, and their outcomes. `used + ignored + rejected = rows`. */
  rows: number;
  used: number;
  ignored: number;
  rejected: number;
  /** Its certificates and the problems of its rows. */
  body: string;
};
