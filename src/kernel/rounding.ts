/**
 * The one rounding rule: half away from zero, so that a refund is the exact mirror of its order.
 *
 * Both functions divide an integer by a positive integer and round the quotient. The number form is exact for
 * safe integers because the remainder is taken before the division.
 */
export const roundQuotient = (numerator: number, divisor: number): number => {
  const remainder = numerator % divisor;
  const floor = (numerator - remainder) / divisor;
  if (2 * Math.abs(remainder) < divisor) return floor + 0;
  return floor + (numerator < 0 ? -1 : 1);
};

/** The same rule where a numerator can pass 2^53. */
export const roundBigQuotient = (numerator: bigint, divisor: bigint): bigint => {
  const remainder = numerator % divisor;
  const floor = numerator / divisor;
  const magnitude = remainder < 0n ? -remainder : remainder;
  if (2n * magnitude < divisor) return floor;
  return floor + (numerator < 0n ? -1n : 1n);
};
