import type { CalendarDate } from '../kernel/calendar.ts';
import type { Money } from '../kernel/money.ts';
import type { Rate } from '../kernel/rate.ts';
import type { LocalLevel, TaxedAddress } from './content-coverage.ts';

/** A tax that a shop charged and for which the tax content has no rate at the place. */
export type ChargedTax = {
  /** The name that the shop gives it; empty when no line of the sale itself names it. */
  readonly name: string;
  /** The name of the jurisdiction alone, as far as the shop states it. */
  readonly place: string;
  /** `null` when it is unknown whose tax it is. */
  readonly level: LocalLevel | null;
  /** `null` when the shop states only an amount. */
  readonly rate: Rate | null;
  /** The part of the variance of the sale that is due to it. The taxes of a sale add up to the part that gaps cause. */
  readonly amount: Money;
};

/** Evidence from one sale for rates that the tax content lacks. */
export type RateEvidence = {
  /** The record as the source names it. */
  readonly record: string;
  readonly to: TaxedAddress;
  /** The day whose law and rates apply. */
  readonly day: CalendarDate;
  /**
   * `lines`: tax lines of the sale. `other lines`: tax lines of other sales at the place. `agreement`: sales at the
   * place agree on one rate. `agreement in the state`: sales at many places of a state agree on one.
   */
  readonly by: 'lines' | 'other lines' | 'agreement' | 'agreement in the state';
  readonly taxes: readonly ChargedTax[];
};
