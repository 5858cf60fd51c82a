import type { TaxRequestInput } from '../../contract/tax-request.ts';
import type { TaxResult } from '../../contract/tax-result.ts';
import { formatMoney, type Money, money, subtract } from '../../kernel/money.ts';
import { formatPrice, price } from '../../kernel/price.ts';
import { netOf } from '../sales/read-lines.ts';
import type { Sale, SaleLine } from '../sales/sale.ts';
import { type Fraction, plus, rounded } from './fraction.ts';
import { type Range, rangesOf } from './given-back.ts';
import type { AnsweredHypothesis } from './hypothesis.ts';
import { taxModelOf, unroundedOf } from './tax-model.ts';

/** A calculation of the order of which a refund gives a part back: its request, its result, and how to repeat it. */
type OrderCalculation = {
  readonly request: TaxRequestInput;
  readonly result: TaxResult;
  readonly calculate: (request: TaxRequestInput) => TaxResult;
  /** The tax that the refund is expected to give back. */
  readonly expected: Money;
};

/**
 * Ways to tax an allowance, which gives back a part of the price of an item and not the item: by the price that is left,
 * if its order was charged what was due; with the tax of its shipping, and without. The law of most states does not say
 * whether an allowance changes what a limit sees; its share of the tax of the order is what is expected.
 */
export const allowanceReadings = (
  sale: Sale,
  { request, result, calculate, expected }: OrderCalculation,
): readonly AnsweredHypothesis[] => {
  const left = leftOf(sale);
  if (!left || sale.partOf?.salesTax !== result.amount_to_collect) return [];
  const taxOf = (end: Left, shipping: string | number): Fraction =>
    unroundedOf(
      taxModelOf(
        calculate({
          ...request,
          shipping,
          line_items: (request.line_items ?? []).map((item, index) => ({ ...item, ...end.lines[index] })),
        }),
      ),
    );
  const what = `by the price that is left after the allowance (its share of the tax of the order is ${formatMoney(expected)})`;
  const { breakdown: _, ...figures } = result;
  return [
    [taxOf(left.before, left.before.shipping), taxOf(left.after, left.after.shipping)] as const,
    [taxOf(left.before, 0), taxOf(left.after, 0)] as const,
  ]
    .flatMap(([before, after]) => [
      subtract(rounded(before), rounded(after)),
      rounded(plus(before, { ...after, dividend: -after.dividend })),
    ])
    .map((tax) => ({ code: 'R30', what, result: { ...figures, amount_to_collect: tax } }));
};

/** What is left of an order before or after a refund, as its request says it. */
type Left = {
  readonly shipping: string;
  readonly lines: readonly { readonly quantity: number; readonly discount: string }[];
};

/** What is left of an order before and after an allowance; `undefined` if a refund gives back pieces alone. */
const leftOf = ({ partOf, ...sale }: Sale): { readonly before: Left; readonly after: Left } | undefined => {
  if (!partOf || sale.lines.length === 0) return undefined;
  const ranges = rangesOf({ ...sale, partOf }, partOf);
  const lines = partOf.lines.map((ordered, position) => {
    const given = sale.lines.filter((_, index) => partOf.positions[index] === position);
    return lineLeft(ordered, given, ranges.lines[position] ?? { before: 0, after: 0, of: 0 });
  });
  if (lines.includes(undefined) || !lines.some((line) => line?.isAllowance)) return undefined;
  const end = (which: 'before' | 'after'): Left => ({
    shipping: formatMoney(subtract(partOf.shipping, money(ranges.shipping[which]))),
    lines: lines.flatMap((line) => line?.[which] ?? []),
  });
  return { before: end('before'), after: end('after') };
};

/** What is left of a line of an order; `undefined` if it is not known of how many pieces something was given back. */
const lineLeft = (ordered: SaleLine, given: readonly SaleLine[], { before, after }: Range) => {
  if (ordered.quantity > 1 && before > 0) return undefined;
  const isPieces = given.every((line) => netOf(line) * ordered.quantity === netOf(ordered) * line.quantity);
  const pieces = isPieces ? given.reduce((total, { quantity }) => total + quantity, 0) : 0;
  const of = (quantity: number, back: number) => ({
    quantity,
    discount: formatPrice(price(ordered.unitPrice * quantity - (netOf(ordered) - back))),
  });
  return {
    isAllowance: !isPieces,
    before: of(ordered.quantity, before),
    after: of(ordered.quantity - pieces, after),
  };
};
