import { add, type Money, ZERO } from '../../kernel/money.ts';
import type { ReasonTotals } from './period-totals.ts';
import { REASONS, type ReasonCode } from './reason.ts';

/** The parts of a variance: what the shop charged differently, right or wrong; gaps of Tieout's tax content; or unexplained. */
export type VariancePart = 'seller' | 'gap' | 'unexplained';

/** The parts and their labels, in display order. */
export const VARIANCE_PARTS = {
  seller: 'Charged differently',
  gap: 'Missing rates',
  unexplained: 'Unexplained',
} as const satisfies Readonly<Record<VariancePart, string>>;

export const VARIANCE_PART_NAMES = ['seller', 'gap', 'unexplained'] as const;

export const partOf = (code: ReasonCode): VariancePart => REASONS[code].part;

/** Split the variance into its parts, which add up to all of it. */
export const splitVariance = (
  reasons: readonly Pick<ReasonTotals, 'code' | 'over' | 'under'>[],
): Readonly<Record<VariancePart, Money>> => {
  const parts: Record<VariancePart, Money> = { seller: ZERO, gap: ZERO, unexplained: ZERO };
  for (const { code, over, under } of reasons)
    parts[partOf(code)] = add(parts[partOf(code)], add(over, under));
  return parts;
};
