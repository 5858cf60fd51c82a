import type { TaxRequestInput } from './tax-request.ts';
import type { TaxResult } from './tax-result.ts';

/** Tieout's own engine: calculations in this process, without a call. */
export type OwnEngine = {
  /** @throws {ServiceRefusal} */
  readonly calculate: (request: TaxRequestInput) => TaxResult;
};
