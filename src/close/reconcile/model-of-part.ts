import { subtract, ZERO } from '../../kernel/money.ts';
import { price } from '../../kernel/price.ts';
import { roundBigQuotient } from '../../kernel/rounding.ts';
import { netOf } from '../sales/read-lines.ts';
import type { RefundedPart } from '../sales/sale.ts';
import { answerLineIds } from '../sales/tax-request-of.ts';
import {
  type Asked,
  givenBack,
  type Part,
  type Range,
  type RangedUnit,
  rangeOf,
  rangesOf,
  taxesOfOrder,
} from './given-back.ts';
import { type LevelShare, SHIPPING_UNIT, type TaxModel, type TaxUnit, taxOf } from './tax-model.ts';

/** The amounts of a refund of a part of an order. */
export type SoldPart = Omit<Asked, 'partOf'> & { readonly partOf: RefundedPart };

/**
 * Returns the model of a refund of a part of an order from that of the order. Its units are the lines of the refund, and
 * all of the goods where it has none.
 */
export const modelOfPart = (order: TaxModel, sale: SoldPart): TaxModel => {
  const { lines, partOf } = sale;
  const { goods, others } = rangedUnitsOf(order, sale);
  const units =
    lines.length === 0
      ? answerLineIds(sale).map((id) => ({
          id,
          shares: goods.flatMap(({ unit, range }) => sharesOfPart(unit, range)),
        }))
      : lines.map((line, index) => {
          const part = goods[partOf.positions[index] ?? -1];
          const range = rangeOf(0, netOf(line), part?.range.of ?? 0);
          return { id: line.id, shares: sharesOfPart(part?.unit, range) };
        });
  const parts = {
    units: [
      ...units,
      ...others.map(({ unit, range }) => ({ id: unit.id, shares: sharesOfPart(unit, range) })),
    ],
    rest: ZERO,
    grain: order.grain,
  };
  return { ...parts, rest: subtract(givenBack(taxPartsOf(order, sale)), taxOf(parts)) };
};

/** Returns the exact taxes of the model of an order, with how much of each its refund gives back. */
export const taxPartsOf = (order: TaxModel, sale: SoldPart): readonly Part[] => {
  const { goods, others } = rangedUnitsOf(order, sale);
  const { all } = rangesOf(sale, sale.partOf);
  return taxesOfOrder([...goods, ...others], { rest: order.rest, all });
};

type RangedTaxUnit = RangedUnit & { readonly unit: TaxUnit };

/** The units of the lines of an order, and others: shipping, and what its shop states beside them. */
const rangedUnitsOf = (
  { units }: TaxModel,
  sale: SoldPart,
): { readonly goods: readonly RangedTaxUnit[]; readonly others: readonly RangedTaxUnit[] } => {
  const ranges = rangesOf(sale, sale.partOf);
  const goods = units.filter(({ id }) => id !== SHIPPING_UNIT);
  const freight = units.filter(({ id }) => id === SHIPPING_UNIT);
  return {
    goods: goods.flatMap((unit, position) => {
      const range = ranges.lines[position];
      return range ? [{ unit, range }] : [];
    }),
    others: [
      ...freight.map((unit) => ({ unit, range: ranges.shipping })),
      ...goods.slice(ranges.lines.length).map((unit) => ({ unit, range: ranges.all })),
    ],
  };
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
