/**
 * The one rounding rule: half away from zero, so that a refund exactly mirrors its order.
 *
 * Both functions divide an integer by a positive integer and round the quotient. The number form is exact for safe
 * integers: a quotient that is not whole is further from the next whole number than the error of the division, so its
 * whole part is right, and the remainder is a difference of safe integers.
 */
export const roundQuotient = (numerator: number, divisor: number): number => {
  const whole = Math.trunc(numerator / divisor);
  const remainder = numerator - whole * divisor;
  if (2 * Math.abs(remainder) < divisor) return whole + 0;
  return whole + (numerator < 0 ? -1 : 1);
};

/** The same rule for numerators that may exceed 2^53. */
export const roundBigQuotient = (numerator: bigint, divisor: bigint): bigint => {
  const remainder = numerator % divisor;
  const floor = numerator / divisor;
  const magnitude = remainder < 0n ? -remainder : remainder;
  if (2n * magnitude < divisor) return floor;
  return floor + (numerator < 0n ? -1n : 1n);
};
