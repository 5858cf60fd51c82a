import type { CalendarDate } from '../kernel/calendar.ts';
import type { Money } from '../kernel/money.ts';
import type { Rate } from '../kernel/rate.ts';
import type { LocalLevel, TaxedAddress } from './content-coverage.ts';

/** A tax that a shop charged, of which the tax content has no rate at the place. */
export type ChargedTax = {
  /** As the shop names it; empty where no line of the sale itself names it. */
  readonly name: string;
  /** The name of the jurisdiction alone, as far as the shop states it. */
  readonly place: string;
  /** `null` where no one says whose tax it is. */
  readonly level: LocalLevel | null;
  /** `null` where the shop states an amount only. */
  readonly rate: Rate | null;
  /** What of the variance of the sale is due to it. The taxes of a sale come to all of its variance that is a gap's. */
  readonly amount: Money;
};

/** What one sale shows of rates that the tax content lacks. */
export type RateEvidence = {
  /** The record as the source names it. */
  readonly record: string;
  readonly to: TaxedAddress;
  /** The day whose law and rates apply. */
  readonly day: CalendarDate;
  /**
   * `lines`: tax lines of the sale. `other lines`: tax lines of other sales of the place. `agreement`: sales of a place
   * agree on one rate. `agreement in the state`: sales of many places of a state do.
   */
  readonly by: 'lines' | 'other lines' | 'agreement' | 'agreement in the state';
  readonly taxes: readonly ChargedTax[];
};
