import type { Order, Refund } from '../../contract/transaction.ts';
import { moneyOfPrice } from '../../kernel/price.ts';
import { type DraftException, exceptionOfExtra } from '../reconcile/exceptions.ts';
import { addRecorded, type PeriodTotals } from '../reconcile/period-totals.ts';

/** A record that the service has for a period, and that is of none of its posted sales: a line of `strays`. */
export type Stray = {
  /** The channel whose sales are recorded under the provider; the provider itself if there is none. */
  readonly channel: string;
  readonly provider: string;
  readonly kind: 'order' | 'refund';
  readonly id: string;
  /** The day, in the entity's time zone, on which the service has it. */
  readonly day: string;
  readonly record: Order | Refund;
  /** What the exports say of it; absent if none explains it. */
  readonly said?: string;
  /** Set where its sale awaits a decision; the finding of that sale then has the tax at stake. */
  readonly isHeld?: true;
};

/** Adds a stray to the totals of its day, and returns its finding. */
export const addStray = (totals: PeriodTotals, stray: Stray): DraftException => {
  const { channel, provider, kind, id, day, record, said, isHeld } = stray;
  const tax = moneyOfPrice(record.sales_tax);
  addRecorded(totals, day, channel, { records: 1, amount: moneyOfPrice(record.amount), tax });
  return exceptionOfExtra({ kind, id, provider, state: record.to_state ?? '', tax, said, isHeld });
};
