import type { Order, Refund } from '../../contract/transaction.ts';

/** The record of a sale in the service: a row of the pages of `recorded`. */
export type RecordedSale = {
  readonly key: string;
  readonly record: Order | Refund;
  /** Only for a refund: further refunds that bring the total to what its export states now. */
  readonly adjustments?: readonly Refund[];
};
