import type { TaxResult } from '../../contract/tax-result.ts';
import type { Order, Refund } from '../../contract/transaction.ts';
import type { Json } from '../../kernel/digest.ts';
import type { Money } from '../../kernel/money.ts';
import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import type { Posting, Sale } from '../sales/sale.ts';
import type { LogMember, LogPiece } from './log-file.ts';

/** The logs of a period's evidence, each a file of compressed lines. */
export const LOG_NAMES = ['sales', 'questions', 'records', 'set-aside', 'refunds', 'report'] as const;
export type LogName = (typeof LOG_NAMES)[number];

/** Lines for some of the logs. */
export type LogPieces = Partial<Readonly<Record<LogName, LogPiece | LogMember>>>;

export const logPath = (name: LogName): string => `evidence/${name}.ndjson.gz`;

/**
 * `sales`: all information on one sale of the period: where it was read, what was answered, sent and read back, and the
 * findings about it. `sale-text.ts` writes and reads it. Amounts in cents.
 */
export type LoggedSale = {
  readonly sale: Sale;
  readonly posting: Posting;
  /** Whether its figures are kept as filed, because a lock holds it or it reverses a sale that a lock holds. */
  readonly isFiled: boolean;
  /** The request, its service and the answer; `undefined` if there was no request. */
  readonly calculation: LoggedCalculation | undefined;
  /** The body sent to record it and the outcome; `undefined` if nothing was sent. */
  readonly submission: LoggedSubmission | undefined;
  readonly recorded: LoggedRecord | undefined;
  readonly reconciled: ReconciledSale | null;
  /** Figures missing in the log are derived from the rest; `false` if the rest does not tie out. */
  readonly figuresHold: boolean;
};

export type LoggedCalculation = {
  /** The first digits of the digest of service and request. */
  readonly mark: string;
  readonly service: string;
  readonly result: TaxResult;
};

export type LoggedSubmission = {
  /** The first digits of the digest of the body. */
  readonly mark: string;
  readonly state: string;
  readonly detail: string;
};

export type LoggedRecord = {
  /** The day, in the entity's time zone, on which the service has it. */
  readonly day: string;
  readonly record: Order | Refund;
};

/**
 * `questions`: requests besides a sale's own calculation, with one thing changed, to explain its variance or to compute
 * the tax that its exemption relieves. The digest covers service and request together.
 */
export type LoggedQuestion = {
  readonly key: string;
  readonly code: string;
  readonly what: string;
  readonly digest: string;
  readonly service: string;
  readonly request: Json;
  readonly result: TaxResult;
};

/** `records`: records of the period read back that do not belong to a sale, including adjustments of refunds. */
export type LoggedExtra = LoggedRecord & {
  /** The channel whose sales are recorded under the provider; the provider itself if there is none. */
  readonly channel: string;
  readonly provider: string;
  readonly kind: 'order' | 'refund';
  readonly id: string;
};

/** Records of sales that the service holds, for one day and channel. */
export type RecordedSum = {
  readonly day: string;
  readonly channel: string;
  readonly records: number;
  readonly amount: Money;
  readonly tax: Money;
};

/** The log lines of a page of sales, and the records that the service holds of them. */
export type LoggedSales = {
  /** One line per sale. */
  readonly sales: LogMember;
  /** Lines of the logs of the same names. */
  readonly questions: readonly string[];
  readonly records: readonly string[];
  readonly recorded: readonly RecordedSum[];
};

/** Takes the lines of the logs of a period's evidence, in an order that does not depend on the time of events. */
export type EvidenceLogs = { readonly write: (pieces: LogPieces) => Promise<void> };
