import { type Money, negate, subtract, ZERO } from '../../kernel/money.ts';
import { type DetailRow, varianceOf } from '../reconcile/detail-row.ts';
import type { Sale } from '../sales/sale.ts';
import { gapOf } from './gap-parts.ts';

/** Tax that a refund gave back beyond what it should have. */
export type GivenBackBeyond = {
  readonly state: string;
  readonly channel: string;
  /** The order, by the id sent to the service. */
  readonly order: string;
  /** The exemption with which both are calculated. */
  readonly exemptionType: Sale['exemptionType'];
  readonly tax: Money;
};

/**
 * Returns what a posted refund gave back beyond what it should have; none where nothing is due from the seller. Tax
 * under rates that the tax content lacks is not beyond it: every return takes it off as it was given back.
 */
export const givenBackBeyond = (row: DetailRow, refund: Sale): readonly GivenBackBeyond[] => {
  const tax = negate(subtract(varianceOf(row), gapOf(row)));
  if (!row.isPosted || !row.hasNexus || tax <= ZERO) return [];
  const { state, channel, reference: order } = row;
  return [{ state, channel, order, exemptionType: refund.exemptionType, tax }];
};
