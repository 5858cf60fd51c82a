/** An exact fraction: a dividend over a positive divisor. */
export type Fraction = readonly [bigint, bigint];

export const of = (whole: number): Fraction => [BigInt(whole), 1n];

const reduced = (dividend: bigint, divisor: bigint): Fraction => {
  let one = dividend < 0n ? -dividend : dividend;
  let other = divisor;
  while (other !== 0n) [one, other] = [other, one % other];
  return [dividend / one, divisor / one];
};

export const add = ([a, b]: Fraction, [c, d]: Fraction): Fraction => reduced(a * d + c * b, b * d);
export const sub = (one: Fraction, [c, d]: Fraction): Fraction => add(one, [-c, d]);
export const mul = ([a, b]: Fraction, [c, d]: Fraction): Fraction => reduced(a * c, b * d);
export const div = (one: Fraction, [c, d]: Fraction): Fraction => mul(one, c < 0n ? [-d, -c] : [d, c]);
export const isLess = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d < c * b;

/** The nearest whole number, half away from zero. */
export const rounded = ([dividend, divisor]: Fraction): number => {
  const magnitude = dividend < 0n ? -dividend : dividend;
  const nearest = Number((2n * magnitude + divisor) / (2n * divisor));
  return dividend < 0n ? -nearest + 0 : nearest;
};
