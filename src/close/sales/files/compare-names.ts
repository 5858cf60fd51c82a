import { compareText } from '../../../kernel/compare-text.ts';

/** What ends a name: its kind, and how it is packed. */
const ENDINGS = /(\.[a-z]{1,4})+$/i;

/**
 * Compare names of exports in the order in which they were downloaded, as far as names say it: numbers by their value,
 * and a further copy, such as `orders (1).csv` or `orders-2.csv`, after the first. Of two exports with the same record the
 * later one counts.
 */
export const compareNames = (left: string, right: string): number => {
  const [one, other] = [runsOf(left), runsOf(right)];
  for (let index = 0; index < Math.min(one.length, other.length); index += 1) {
    const order = compareRuns(one[index] ?? '', other[index] ?? '');
    if (order !== 0) return order;
  }
  return one.length - other.length || compareText(left, right);
};

/** Splits a name without its endings into its numbers and what stands between them. */
const runsOf = (name: string): readonly string[] => name.replace(ENDINGS, '').match(/\d+|\D+/g) ?? [];

const compareRuns = (left: string, right: string): number => {
  const isNumber = /^\d/.test(left) && /^\d/.test(right);
  if (!isNumber) return compareText(left, right);
  const difference = BigInt(left) - BigInt(right);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
};
