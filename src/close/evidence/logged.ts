import type { TaxResult } from '../../contract/tax-result.ts';
import type { Order, Refund } from '../../contract/transaction.ts';
import type { Json } from '../../kernel/digest.ts';
import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import type { Posting, Sale } from '../sales/sale.ts';
import type { LogPiece } from './log-file.ts';

/** The logs of a period's evidence, each a file of compressed lines. */
export const LOG_NAMES = [
  'sales',
  'calculations',
  'submissions',
  'pull-back',
  'set-aside',
  'report',
] as const;
export type LogName = (typeof LOG_NAMES)[number];

/** Lines for some of the logs. */
export type LogPieces = Partial<Readonly<Record<LogName, LogPiece>>>;

export const logPath = (name: LogName): string => `evidence/${name}.ndjson.gz`;

/** `sales`: every sale of the period, where it was read, and what was found about it. Amounts in cents. */
export type LoggedSale = {
  readonly posting: Posting;
  readonly sale: Sale;
  /** The source under which the service keeps it. */
  readonly provider: string;
  /** The digest of its calculation; `null` when none was asked for. */
  readonly calculation: string | null;
  /** The digest of what was sent to record it; `null` when nothing was. */
  readonly submission: string | null;
  readonly reconciled: ReconciledSale | null;
};

/**
 * `calculations`: what was asked for a sale and answered, in the order of the sales; with `code` and `what` when one
 * thing was changed, to explain its variance or to tell what its exemption relieves. The digest is that of service
 * and request together.
 */
export type LoggedCalculation = {
  readonly key: string;
  readonly code?: string;
  readonly what?: string;
  readonly digest: string;
  readonly service: string;
  readonly request: Json;
  readonly result: TaxResult;
};

/** `submissions`: what was sent to record a sale, and how it ended. */
export type LoggedSubmission = {
  readonly key: string;
  readonly state: string;
  readonly detail: string;
  readonly digest: string;
  readonly body: Json;
};

/** `pull-back`: what the service gave back for the period. */
export type LoggedRecord = {
  /** The channel whose sales are recorded under the provider; the provider where there is none. */
  readonly channel: string;
  readonly provider: string;
  readonly kind: 'order' | 'refund';
  readonly id: string;
  readonly business_date: string;
  readonly record: Order | Refund;
};
