import { acceptRequest } from '../contract/accept-request.ts';
import type { ContentCoverage } from '../contract/content-coverage.ts';
import type { OwnEngine } from '../contract/own-engine.ts';
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
