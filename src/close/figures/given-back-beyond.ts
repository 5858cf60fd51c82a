import type { CalendarDate } from '../../kernel/calendar.ts';
import { atLeastZero, lesser, type Money, negate, subtract, sum, ZERO } from '../../kernel/money.ts';
import { type DetailRow, varianceOf } from '../reconcile/detail-row.ts';

import { partOf, type ReasonCode } from '../reconcile/reason.ts';
import type { Sale } from '../sales/sale.ts';
import { gapOf } from './gap-parts.ts';

/** Tax that a refund, or a correction of a filed record, gave back beyond what it should have, or less than that. */
export type GivenBackBeyond = {
  readonly state: string;
  readonly channel: string;
  /** The key of the refund or correction. */
  readonly key: string;
  /** The order, by the id sent to the service. */
  readonly order: string;
  /** Negative where less was given back than was due, because its order was charged too little. */
  readonly tax: Money;
  /** The amount without tax and the tax due of the refund, both negative. */
  readonly gross: Money;
  readonly expected: Money;
  /** Only for a correction of a filed record. */
  readonly correction?: Correction;
};

/** Which record was corrected, and if this takes it back, its day. */
export type Correction = { readonly corrects: string; readonly soldOn?: CalendarDate };

/**
 * Returns what a posted refund or correction gave back beyond what it should have, or less; none where a marketplace
 * remits the tax. Where the seller is not registered on the day of the order now, an earlier return may have its tax. Tax under rates that the tax content lacks is not beyond it: every return takes it off as it was
 * given back. What a refund left of the tax that its order was charged is not less than was due: the customer paid it.
 */
export const givenBackBeyond = (
  row: DetailRow,
  { exemptionType }: Sale,
  correction?: Correction,
): readonly GivenBackBeyond[] => {
  if (!row.isPosted || exemptionType === 'marketplace') return [];
  const beyond = negate(beyondDue(row));
  const isLess = !correction && beyond < ZERO;
  const tax = isLess ? negate(lesser(negate(beyond), lessOf(row))) : beyond;
  if (tax === ZERO) return [];
  const { state, channel, key, gross, expected, reference: order } = row;
  return [{ ...{ state, channel, key, order, tax, gross, expected }, ...(correction && { correction }) }];
};

/** Returns what a row was charged beyond the tax due, without tax under rates that the tax content lacks. */
export const beyondDue = (row: DetailRow): Money => subtract(varianceOf(row), gapOf(row));

/** Returns the tax that a refund gave back less for the reasons of its order. */
const lessOf = ({ reasons }: DetailRow): Money =>
  sum(
    reasons
      .filter(({ code }) => partOf(code) !== 'gap' && !NOT_THE_ORDER.has(code))
      .map(({ amount }) => atLeastZero(amount)),
  );

/** Reasons of a refund alone: rounding, the rate of its own day, and tax that was charged and not given back. */
const NOT_THE_ORDER: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['R01', 'R13', 'R29']);
