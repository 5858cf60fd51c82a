import { add, type Money, sum, ZERO } from '../../kernel/money.ts';
import type { ReasonTotals } from './period-totals.ts';
import type { ReasonCode } from './reason.ts';
import { partOf } from './variance-part.ts';

/** What a manager asks of a variance: who was charged too much, too little, or nothing, and what is only rounding. */
export type Bucket = 'over' | 'under' | 'notCollected' | 'pennies' | 'gap' | 'unexplained';

/** The buckets and their names, in display order. They add up to the variance. */
export const BUCKETS = {
  over: 'over-collected',
  under: 'under-collected',
  notCollected: 'not collected',
  pennies: 'pennies of rounding',
  gap: 'local rates that Tieout lacks',
  unexplained: 'unexplained',
} as const satisfies Readonly<Record<Bucket, string>>;

export const BUCKET_NAMES = Object.keys(BUCKETS) as readonly Bucket[];

/** Reasons by which nothing was charged where something was due. */
const NOTHING_CHARGED: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['R08', 'R11', 'R12']);

type Sides = Pick<ReasonTotals, 'code' | 'over' | 'under'>;

/** The side of a reason that counts in a bucket, by the column of the table of reasons. */
type Counted = { readonly code: ReasonCode; readonly side: 'Over' | 'Under' | 'Net'; readonly amount: Money };

const bucketsOfReason = ({ code, over, under }: Sides): readonly (readonly [Bucket, Counted])[] => {
  const part = partOf(code);
  const net: Counted = { code, side: 'Net', amount: add(over, under) };
  if (part !== 'seller') return [[part, net]];
  if (code === 'R01') return [['pennies', net]];
  return [
    ['over', { code, side: 'Over', amount: over }],
    [NOTHING_CHARGED.has(code) ? 'notCollected' : 'under', { code, side: 'Under', amount: under }],
  ];
};

/** Returns the reasons that count in a bucket, each with the side that does. */
export const codesIn = (bucket: Bucket, reasons: readonly Sides[]): readonly Counted[] =>
  reasons
    .flatMap(bucketsOfReason)
    .flatMap(([of, counted]) => (of === bucket && counted.amount !== ZERO ? [counted] : []));

/** Splits a variance into the buckets. */
export const bucketsOf = (reasons: readonly Sides[]): Readonly<Record<Bucket, Money>> =>
  Object.fromEntries(
    BUCKET_NAMES.map((bucket) => [bucket, sum(codesIn(bucket, reasons).map(({ amount }) => amount))]),
  ) as Record<Bucket, Money>;
