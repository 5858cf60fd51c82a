import { subtract, ZERO } from '../../kernel/money.ts';
import { price } from '../../kernel/price.ts';
import { roundBigQuotient } from '../../kernel/rounding.ts';
import { netOf } from '../sales/read-lines.ts';
import type { RefundedPart } from '../sales/sale.ts';
import { answerLineIds } from '../sales/tax-request-of.ts';
import { wholeCents } from './fraction.ts';
import { type Asked, givenBack, NONE, type Range, rangeOf, rangesOf, taxesOf } from './given-back.ts';
import { type LevelShare, SHIPPING_UNIT, type TaxModel, type TaxUnit, taxOf } from './tax-model.ts';

/**
 * Returns the model of a refund of a part of an order from that of the order. Its units are the lines of the refund, and
 * all of the goods where it has none.
 */
export const modelOfPart = (
  order: TaxModel,
  sale: Omit<Asked, 'partOf'> & { readonly partOf: RefundedPart },
): TaxModel => {
  const { lines, partOf } = sale;
  const ranges = rangesOf(sale, partOf);
  const goods = order.units.filter(({ id }) => id !== SHIPPING_UNIT);
  const freight = order.units.filter(({ id }) => id === SHIPPING_UNIT);
  const rangeAt = (position: number): Range => ranges.lines[position] ?? NONE;
  const units =
    lines.length === 0
      ? answerLineIds(sale).map((id) => ({
          id,
          shares: goods.flatMap((unit, position) => sharesOfPart(unit, rangeAt(position))),
        }))
      : lines.map((line, index) => {
          const position = partOf.positions[index] ?? -1;
          const range = rangeOf(0, netOf(line), rangeAt(position).of);
          return { id: line.id, shares: sharesOfPart(goods[position], range) };
        });
  const parts = {
    units: [
      ...units,
      ...freight.map(({ id, shares }) => ({ id, shares: sharesOfPart({ shares }, ranges.shipping) })),
    ],
    rest: ZERO,
    grain: order.grain,
  };
  const due = givenBack([
    ...goods.flatMap((unit, position) => taxesOf({ unit, range: rangeAt(position) })),
    ...freight.flatMap((unit) => taxesOf({ unit, range: ranges.shipping })),
    { whole: wholeCents(order.rest), range: ranges.all },
  ]);
  return { ...parts, rest: subtract(due, taxOf(parts)) };
};

const sharesOfPart = (
  unit: Pick<TaxUnit, 'shares'> | undefined,
  { before, after, of }: Range,
): readonly LevelShare[] => {
  if (!unit || of === 0) return [];
  const now = BigInt(after - before);
  return unit.shares.map(({ tax, taxable, ...share }) => ({
    ...share,
    taxable: price(Number(roundBigQuotient(BigInt(taxable) * now, BigInt(of)))),
    tax: { dividend: tax.dividend * now, divisor: tax.divisor * BigInt(of) },
  }));
};
