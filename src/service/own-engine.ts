import { acceptRequest } from '../contract/accept.ts';
import type { ContentCoverage, OwnEngine } from '../contract/tax-service.ts';
import { type Clock, utcDateOf } from '../kernel/calendar.ts';
import type { TaxContent } from './content/tax-content.ts';
import { calculateTax } from './engine/calculate-tax.ts';
import { contentCoverage } from './engine/content-coverage.ts';
import type { Seller } from './engine/seller.ts';

/** The engine over a content, without an account. */
export const ownEngine = (
  content: TaxContent,
  seller: Seller,
  clock: Clock,
): OwnEngine & { readonly coverage: ContentCoverage } => {
  const asOf = utcDateOf(clock.now());
  return {
    coverage: contentCoverage(content),
    calculate: (request) => calculateTax({ request: acceptRequest(request), seller, content, asOf }),
  };
};
