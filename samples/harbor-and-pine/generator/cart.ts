import { CATALOGUE, type Product, productOf } from './catalogue.ts';
import type { OrderSpec } from './order-spec.ts';
import type { Random } from './random.ts';
import type { SampleLine } from './sample-order.ts';

export type Cart = {
  readonly lines: readonly SampleLine[];
  readonly discountCode: string;
  readonly orderDiscountCents: number;
};

const SIZES = [1, 1, 1, 1, 2, 2, 2, 3, 3, 4];
const QUANTITIES = [1, 1, 1, 1, 1, 1, 1, 2, 2, 3];

/** Georgia's cities and the states without a dependable grocery rate get no food; Savannah is the one exception. */
const sellsFood = (state: string, city: string): boolean =>
  city === 'Savannah' || !['GA', 'IL', 'CO'].includes(state);

const randomLines = (random: Random, withFood: boolean): SampleLine[] => {
  const size = random.pick(SIZES);
  const offered = CATALOGUE.filter(({ shipped, kind }) => shipped && (withFood || kind !== 'food'));
  const chosen: Product[] = [];
  while (chosen.length < size) {
    const product = random.pick(offered);
    if (!chosen.includes(product)) chosen.push(product);
  }
  return chosen.map((product) => ({ product, quantity: random.pick(QUANTITIES), discountCents: 0 }));
};

const fixedLines = (cart: string): SampleLine[] =>
  cart.split(', ').map((item) => {
    const [quantity = '', sku = ''] = item.split(' ');
    return { product: productOf(sku), quantity: Number(quantity), discountCents: 0 };
  });

const goodsCents = (lines: readonly SampleLine[]): number =>
  lines.reduce((sum, { product, quantity }) => sum + product.priceCents * quantity, 0);

const isGeneral = ({ product }: SampleLine): boolean => product.kind === 'general';

/** Fifteen percent off the first general line, as an automatic discount that has no code. */
const withLineDiscount = (lines: readonly SampleLine[]): SampleLine[] => {
  const target = lines.findIndex(isGeneral);
  return lines.map((line, index) =>
    index === target ? { ...line, discountCents: Math.round(goodsCents([line]) * 0.15) } : line,
  );
};

/** A fixed cart is taken as it is; a random one may carry a discount, but never both kinds of discount. */
export const cartOf = (random: Random, spec: OrderSpec, state: string, city: string): Cart => {
  const undiscounted = { discountCode: '', orderDiscountCents: 0 };
  if (spec.cart !== undefined) return { ...undiscounted, lines: fixedLines(spec.cart) };
  const lines = randomLines(random, sellsFood(state, city));
  if (random.chance(14) && lines.every(isGeneral)) {
    return { lines, discountCode: 'AUTUMN10', orderDiscountCents: Math.round(goodsCents(lines) / 10) };
  }
  if (random.chance(7)) return { ...undiscounted, lines: withLineDiscount(lines) };
  return { ...undiscounted, lines };
};
