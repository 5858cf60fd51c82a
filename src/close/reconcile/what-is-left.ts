import type { TaxRequestInput } from '../../contract/tax-request.ts';
import type { TaxResult } from '../../contract/tax-result.ts';
import { formatMoney, type Money, money, subtract, ZERO } from '../../kernel/money.ts';
import { formatPrice, price } from '../../kernel/price.ts';
import { netOf } from '../sales/read-lines.ts';
import type { Sale, SaleLine } from '../sales/sale.ts';
import { type Fraction, plus, rounded } from './fraction.ts';
import { NONE, type Range, rangesOf } from './given-back.ts';
import type { AnsweredHypothesis } from './hypothesis.ts';
import { taxModelOf, unroundedOf } from './tax-model.ts';

/** A calculation of an order, its result, and how to repeat it. */
export type OrderCalculation = {
  readonly result: TaxResult;
  readonly calculate: (request: TaxRequestInput) => TaxResult;
};

/**
 * Ways to tax a refund of a part of an order by what is left of it: the tax of the order before the refund, less that
 * after it; with the tax of its shipping, and without where no shipping is given back. What is expected is the share of
 * the tax of the order, which differs where goods share the shipping, and for an allowance, which gives back a part of
 * the price of an item and not the item, where a limit looks at the price. The law of most states says neither.
 *
 * @param charged the calculation that gives what the order was charged
 */
export const readingsOfWhatIsLeft = (
  sale: Sale,
  request: TaxRequestInput,
  charged: OrderCalculation,
  expected: Money,
): readonly AnsweredHypothesis[] => {
  const { result, calculate } = charged;
  const left = leftOf(sale);
  if (!left) return [];
  const taxOf = (end: Left, shipping: string | number): Fraction => {
    const items = (request.line_items ?? [])
      .map((item, index) => ({ ...item, ...end.lines[index] }))
      .filter(({ quantity }) => quantity !== 0);
    return unroundedOf(taxModelOf(calculate({ ...request, shipping, line_items: items })));
  };
  const by = left.isAllowance
    ? 'by the price that is left after the allowance'
    : 'by what is left of the order';
  const what = `${by} (its share of the tax of the order is ${formatMoney(expected)})`;
  const { breakdown: _, ...figures } = result;
  return [
    [taxOf(left.before, left.before.shipping), taxOf(left.after, left.after.shipping)] as const,
    ...(sale.shipping === ZERO ? [[taxOf(left.before, 0), taxOf(left.after, 0)] as const] : []),
  ]
    .flatMap(([before, after]) => [
      subtract(rounded(before), rounded(after)),
      rounded(plus(before, { ...after, dividend: -after.dividend })),
    ])
    .map((tax) => ({
      code: left.isAllowance ? 'R30' : 'R31',
      what,
      result: { ...figures, amount_to_collect: tax },
    }));
};

/** What is left of an order before or after a refund, as its request says it. */
type Left = {
  readonly shipping: string;
  readonly lines: readonly { readonly quantity: number; readonly discount: string }[];
};

/** What is left of the goods of an order before and after a refund, if something is, and the refund says of which. */
const leftOf = ({ partOf, ...sale }: Sale) => {
  if (!partOf || (sale.lines.length === 0 && partOf.lines.length !== 1)) return undefined;
  const ranges = rangesOf({ ...sale, partOf }, partOf);
  const lines = partOf.lines.map((ordered, position) => {
    const range = ranges.lines[position] ?? NONE;
    const given = sale.lines.filter((_, index) => partOf.positions[index] === position);
    return lineLeft(ordered, range, sale.lines.length === 0 ? undefined : piecesOf(ordered, given));
  });
  if (lines.includes(undefined) || lines.every((line) => line?.after.quantity === 0)) return undefined;
  const end = (which: 'before' | 'after'): Left => ({
    shipping: formatMoney(subtract(partOf.shipping, money(ranges.shipping[which]))),
    lines: lines.flatMap((line) => line?.[which] ?? []),
  });
  const isAllowance = lines.some((line) => line?.isAllowance);
  return { isAllowance, before: end('before'), after: end('after') };
};

/** How many pieces of a line of an order come back; `undefined` if it is a part of their price. */
const piecesOf = (ordered: SaleLine, given: readonly SaleLine[]): number | undefined =>
  given.every((line) => netOf(line) * ordered.quantity === netOf(ordered) * line.quantity)
    ? given.reduce((total, { quantity }) => total + quantity, 0)
    : undefined;

/** What is left of a line of an order; `undefined` if it is not known of how many pieces something was given back. */
const lineLeft = (ordered: SaleLine, { before, after }: Range, pieces: number | undefined) => {
  if (ordered.quantity > 1 && before > 0) return undefined;
  const of = (quantity: number, back: number) => ({
    quantity,
    discount: formatPrice(price(ordered.unitPrice * quantity - (netOf(ordered) - back))),
  });
  return {
    isAllowance: pieces === undefined,
    before: of(ordered.quantity, before),
    after: of(ordered.quantity - (pieces ?? 0), after),
  };
};
