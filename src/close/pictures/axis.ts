/** An axis over whole numbers: cents or counts. */
export type Axis = {
  readonly low: number;
  readonly high: number;
  /** Round values from low to high, both inclusive. */
  readonly ticks: readonly number[];
};

const INTERVALS = 6;

/**
 * Builds an axis with round ends that includes zero and all values. Values and ticks are whole numbers, so that the
 * label of a tick is exact.
 */
export const axisOf = (values: readonly number[]): Axis => {
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  const step = roundStep((most - least) / INTERVALS);
  const first = Math.floor(least / step);
  const last = Math.max(Math.ceil(most / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { low: first * step, high: last * step, ticks };
};

/** Returns the smallest of 1, 2, 5, 10, 20, 50 and so on that is at least a size. */
const roundStep = (size: number): number => {
  let power = 1;
  while (power * 10 < size) power *= 10;
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= size) ?? power;
};

/** Returns the position of a value on a line of some length, in pixels from the low end. */
export const along = ({ low, high }: Axis, length: number, value: number): number =>
  ((value - low) / (high - low)) * length;
