import { formatMoney, ZERO } from '../../kernel/money.ts';
import { type Price, price } from '../../kernel/price.ts';
import { netOf } from '../sales/read-lines.ts';
import type { SaleLine } from '../sales/sale.ts';
import { type Range, rangesOf } from './given-back.ts';
import type { Hypothesis, SaleAmounts } from './hypothesis.ts';
import { modelOfPart, type SoldPart } from './model-of-part.ts';
import { shareOf, type TaxModel, type TaxUnit, taxModelOf, taxOf } from './tax-model.ts';

/** What is taxed of the price that is left of an item, if `taxed` of `whole` was taxed when it was sold. */
type Limit = (left: number, taxed: number, whole: number) => number;

const LIMITS: readonly Limit[] = [
  // Up to an amount.
  (left, taxed) => Math.min(left, taxed),
  // Above an amount.
  (left, taxed, whole) => Math.max(0, left - (whole - taxed)),
];

/**
 * Ways to tax an allowance, which gives back a part of the price of an item and not the item: by the price that is left,
 * where a limit on the price taxed the item in part, and its order was charged what was due. The law of most states does
 * not say whether an allowance changes what a limit sees; its share of the tax of the order is what is expected.
 */
export const allowanceReadings = ({ whole, partOf, ...sold }: SaleAmounts): readonly Hypothesis[] => {
  if (!whole || !partOf || partOf.salesTax !== whole.amount_to_collect) return [];
  const part: SoldPart = { ...sold, partOf };
  const order = taxModelOf(whole, partOf.lines);
  const given = part.lines.map((line, index) => allowanceOf(line, index, order, part));
  if (given.every((allowance) => allowance === undefined)) return [];
  return LIMITS.map((limit) => ({
    code: 'R30',
    apply: (model) => {
      const share = modelOfPart(order, part);
      const units = share.units.map((unit, index) => {
        const allowance = given[index];
        return allowance ? taxedBy(limit, unit.id, allowance) : unit;
      });
      const what = `by the price that is left after the allowance (its share of the tax of the order is ${formatMoney(taxOf(model))})`;
      return { model: { ...share, units, rest: ZERO }, what };
    },
  }));
};

/** A line of an order of which a limit taxed a part, and how much of its price is given back. */
type Allowance = { readonly unit: TaxUnit; readonly range: Range };

/** The allowance that a line of a refund is; `undefined` if it gives back pieces, or if no limit taxed the item in part. */
const allowanceOf = (
  line: SaleLine,
  index: number,
  order: TaxModel,
  part: SoldPart,
): Allowance | undefined => {
  const { positions, lines } = part.partOf;
  const position = positions[index] ?? -1;
  const [ordered, unit] = [lines[position], order.units[position]];
  const range = rangesOf(part, part.partOf).lines[position];
  if (!ordered || !unit || !range || positions.indexOf(position) !== positions.lastIndexOf(position))
    return undefined;
  const isPieces = netOf(line) * ordered.quantity === netOf(ordered) * line.quantity;
  const isPlain = unit.shares.every(({ level, taxable, rate, tax }) => {
    const plain = shareOf(level, taxable, rate).tax;
    return plain.dividend * tax.divisor === tax.dividend * plain.divisor;
  });
  const isInPart = unit.shares.some(({ taxable }) => taxable !== 0 && taxable !== range.of);
  return isPieces || !isPlain || !isInPart ? undefined : { unit, range };
};

const taxedBy = (limit: Limit, id: string, { unit, range: { before, after, of } }: Allowance): TaxUnit => ({
  id,
  shares: unit.shares.map(({ level, taxable, rate }) => {
    const taxedOf = (left: number): number => limit(left, taxable, of);
    const lessened: Price = price(taxedOf(of - before) - taxedOf(of - after));
    return shareOf(level, lessened, rate);
  }),
});
