import type { TaxRequestInput } from './tax-request.ts';
import type { TaxResult } from './tax-result.ts';

/** The tax of an order by another reading of the law, and the reading in words. */
export type OtherReading = { readonly what: string; readonly result: TaxResult };

/** Tieout's own engine: calculations in this process, without a call. */
export type OwnEngine = {
  /** @throws {ServiceRefusal} */
  readonly calculate: (request: TaxRequestInput) => TaxResult;
  /**
   * The tax by other readings of the law, where it is open or leaves a choice; they can come to the same amount.
   *
   * @throws {ServiceRefusal}
   */
  readonly otherReadings: (request: TaxRequestInput) => readonly OtherReading[];
};
