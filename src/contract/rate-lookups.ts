import type { LocationRate, RateQueryInput } from './location-rate.ts';
import type { SummaryRate } from './summary-rate.ts';

/**
 * Rates by place, for those who calculate for themselves. They know no nexus, sourcing, category or exemption, which
 * is why the close asks for calculations and never for these.
 */
export interface RateLookups {
  /**
   * The full rates of a place today; counts against the plan like a calculation.
   *
   * @throws {ServiceRefusal} 404 when nothing is known of the place, 400 when ZIP and state contradict each other
   */
  showRates(zip: string, query?: RateQueryInput): Promise<LocationRate>;
  /** Every region that the service knows. */
  summaryRates(): Promise<readonly SummaryRate[]>;
}
