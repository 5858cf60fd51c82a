import { add, money } from '../../kernel/money.ts';
import { price } from '../../kernel/price.ts';
import { RATE_ONE } from '../../kernel/rate.ts';
import { netOf, spreadOrderDiscount } from '../sales/read-lines.ts';
import type { SaleLine } from '../sales/sale.ts';
import { plus } from './fraction.ts';
import type { Hypothesis, SaleAmounts } from './hypothesis.ts';
import { roundedSums, type TaxModel } from './tax-model.ts';

/** The most cents by which other divisions of a discount are tried to move the tax of a sale. */
const CENTS_MAX = 2;

/**
 * Divide the discount of an order over its lines in other cents, where the tax is rounded by line. An export has the
 * discount and not its division, so that the base of each line is known to a few cents: the tax moves by as many cents as
 * there are lines whose tax is that near to half a cent.
 */
export const dividedDiscount = ({ lines }: Pick<SaleAmounts, 'lines'>): readonly Hypothesis[] =>
  isSpread(lines)
    ? (['line', 'line and jurisdiction'] as const).flatMap((grain) =>
        [1, -1].flatMap((sign) =>
          Array.from({ length: CENTS_MAX }, (_, index) => moved(lines, grain, sign * (index + 1))),
        ),
      )
    : [];

/** Whether the discounts of the lines are one discount in proportion to their prices. */
const isSpread = (lines: readonly SaleLine[]): boolean => {
  if (lines.length < 2 || lines.every(({ discount }) => discount === 0)) return false;
  const goods = lines.reduce((total, line) => total + netOf(line), 0);
  const whole = lines.map((line) => ({ ...line, discount: price(0) }));
  const spread = spreadOrderDiscount(whole, price(goods));
  return spread?.every(({ discount }, index) => discount === lines[index]?.discount) ?? false;
};

const moved = (
  lines: readonly SaleLine[],
  grain: 'line' | 'line and jurisdiction',
  cents: number,
): Hypothesis => ({
  code: 'R01',
  apply: (model) => {
    const rounded: TaxModel = { ...model, grain };
    const other = [...roundedSums(withMoreOn(lines, rounded, Math.sign(cents)))];
    const flipped = [...roundedSums(rounded)].filter((tax, index) => tax !== other[index]).length;
    return flipped < Math.abs(cents)
      ? undefined
      : {
          model: { ...rounded, rest: add(model.rest, money(cents)) },
          what: `rounded per ${grain}, with the discount divided over the lines in other cents`,
        };
  },
});

/**
 * The base of each line with the cents, or less them, by which another division may differ: where each line is rounded and
 * the last takes what is left, that is half a cent for each of the others.
 */
const withMoreOn = (lines: readonly SaleLine[], model: TaxModel, sign: number): TaxModel => {
  const ids = new Set(lines.map(({ id }) => id));
  const cents = BigInt(sign * Math.ceil((lines.length - 1) / 2));
  const units = model.units.map((unit) => ({
    ...unit,
    shares: unit.shares.map((share) =>
      ids.has(unit.id) && share.taxable !== 0
        ? {
            ...share,
            tax: plus(share.tax, { dividend: cents * BigInt(share.rate), divisor: BigInt(RATE_ONE) }),
          }
        : share,
    ),
  }));
  return { ...model, units };
};
