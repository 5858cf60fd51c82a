import { acceptRequest } from '../contract/accept-request.ts';
import type { ContentCoverage } from '../contract/content-coverage.ts';
import type { TaxRequestInput } from '../contract/tax-request.ts';
import type { TaxResult } from '../contract/tax-result.ts';
import { utcDateOf } from '../kernel/calendar.ts';
import type { Clock } from '../kernel/clock.ts';
import type { TaxContent } from './content/tax-content.ts';
import { calculateTax } from './engine/calculate-tax.ts';
import { contentCoverage } from './engine/content-coverage.ts';
import type { Seller } from './engine/seller.ts';

/** The engine over a content, without an account, with whose results the answers of another service are compared. */
export const secondOpinion = (
  content: TaxContent,
  seller: Seller,
  clock: Clock,
): {
  readonly coverage: ContentCoverage;
  readonly calculate: (request: TaxRequestInput) => TaxResult;
} => ({
  coverage: contentCoverage(content),
  calculate: (request) =>
    calculateTax({
      request: acceptRequest(request),
      seller,
      content,
      asOf: utcDateOf(clock.now()),
    }),
});
