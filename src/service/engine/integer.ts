import { roundBigQuotient, roundQuotient } from '../../kernel/decimal.ts';

/** A whole number of any size, exact: a number while it is a safe integer, and a bigint only beyond 2^53. */
export type Integer = number | bigint;

const isSafe = (value: number): boolean =>
  value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER;

const shortest = (value: bigint): Integer => {
  const short = Number(value);
  return isSafe(short) ? short : value;
};

export const plus = (left: Integer, right: Integer): Integer => {
  if (typeof left === 'number' && typeof right === 'number') {
    const total = left + right;
    if (isSafe(total)) return total;
  }
  return shortest(BigInt(left) + BigInt(right));
};

export const times = (left: Integer, right: Integer): Integer => {
  if (typeof left === 'number' && typeof right === 'number') {
    const product = left * right;
    // Zero has one sign.
    if (isSafe(product)) return product + 0;
  }
  return shortest(BigInt(left) * BigInt(right));
};

export const minus = (left: Integer, right: Integer): Integer => plus(left, -right);

/** Divide by a positive number and round down, toward minus infinity. */
export const floorOf = (dividend: Integer, divisor: Integer): Integer => {
  // The quotient of safe integers is nearer to its whole part than to the next number: see `roundQuotient`.
  if (typeof dividend === 'number' && typeof divisor === 'number') return Math.floor(dividend / divisor);
  const [whole, by] = [BigInt(dividend), BigInt(divisor)];
  const quotient = whole / by;
  return shortest(whole < 0n && quotient * by !== whole ? quotient - 1n : quotient);
};

/** Divide by a positive number and round, half away from zero. */
export const roundOf = (dividend: Integer, divisor: Integer): number =>
  typeof dividend === 'number' && typeof divisor === 'number'
    ? roundQuotient(dividend, divisor)
    : Number(roundBigQuotient(BigInt(dividend), BigInt(divisor)));
