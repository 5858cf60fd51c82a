import type { TaxResult } from '../../contract/tax-result.ts';
import type { Order, Refund } from '../../contract/transaction.ts';
import type { Json } from '../../kernel/digest.ts';
import type { Money } from '../../kernel/money.ts';
import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import type { Posting, Sale } from '../sales/sale.ts';
import type { LogMember, LogPiece } from './log-file.ts';

/** The logs of a period's evidence, each a file of compressed lines. */
export const LOG_NAMES = ['sales', 'questions', 'records', 'set-aside', 'report'] as const;
export type LogName = (typeof LOG_NAMES)[number];

/** Lines for some of the logs. */
export type LogPieces = Partial<Readonly<Record<LogName, LogPiece | LogMember>>>;

export const logPath = (name: LogName): string => `evidence/${name}.ndjson.gz`;

/**
 * `sales`: all that belongs to one sale of the period: where it was read, what was answered, sent and read back, and
 * what was found about it. `sale-text.ts` writes and reads it. Amounts in cents.
 */
export type LoggedSale = {
  readonly sale: Sale;
  readonly posting: Posting;
  /** Whether its figures stand as they were filed, because a lock holds it or it takes back what a lock holds. */
  readonly isFiled: boolean;
  /** What was asked of which service, and answered; `undefined` when nothing was asked. */
  readonly calculation: LoggedCalculation | undefined;
  /** What was sent to record it, and how it ended; `undefined` when nothing was sent. */
  readonly submission: LoggedSubmission | undefined;
  readonly recorded: LoggedRecord | undefined;
  readonly reconciled: ReconciledSale | null;
  /** Figures that do not stand in the log are derived from the rest; `false` where the rest does not allow that. */
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
  /** The day of the entity on which the service has it. */
  readonly day: string;
  readonly record: Order | Refund;
};

/**
 * `questions`: what was asked beside a sale's own calculation, with one thing changed, to explain its variance or to
 * tell what its exemption relieves. The digest is that of service and request together.
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

/** `records`: what the service gave back for the period that is the record of no sale, adjustments of refunds among it. */
export type LoggedExtra = LoggedRecord & {
  /** The channel whose sales are recorded under the provider; the provider where there is none. */
  readonly channel: string;
  readonly provider: string;
  readonly kind: 'order' | 'refund';
  readonly id: string;
};

/** Records of sales that the service holds, of one day and channel. */
export type RecordedSum = {
  readonly day: string;
  readonly channel: string;
  readonly records: number;
  readonly amount: Money;
  readonly tax: Money;
};

/** What the logs say about a page of sales, and what the service holds of them. */
export type LoggedSales = {
  /** A line for each sale. */
  readonly sales: LogMember;
  /** Lines of the logs of the same names. */
  readonly questions: readonly string[];
  readonly records: readonly string[];
  readonly recorded: readonly RecordedSum[];
};
