import { allocate } from '../../kernel/allocate.ts';
import { add, type Money, subtract, sum, ZERO } from '../../kernel/money.ts';
import { priceOfMoney, ZERO_PRICE } from '../../kernel/price.ts';
import { netOf } from './read-lines.ts';
import type { Sale, SaleLine } from './sale.ts';

/** What an order, or what is left of it after refunds, is made of. */
type Parts = Readonly<Record<'goods' | 'shipping' | 'salesTax' | 'marketplaceTax', Money>>;

/** A part of an order that was given back, divided as the order is. */
export type DividedRefund = Pick<Sale, 'amount' | 'shipping' | 'salesTax' | 'marketplaceTax' | 'lines'>;

/**
 * Divides repayments of one order, in their order, into goods, shipping and tax. Each takes its share of what is left
 * of the order, to the cent by largest remainder: no part is ever given back beyond what it was, and repayments
 * that come to the whole order give back exactly what it was made of. `undefined` for what is more than is left.
 */
export const refundDivider = (order: Sale): ((paidBack: Money) => DividedRefund | undefined) => {
  let left: Parts = {
    goods: subtract(order.amount, order.shipping),
    shipping: order.shipping,
    salesTax: order.salesTax,
    marketplaceTax: order.marketplaceTax,
  };
  return (paidBack) => {
    const parts = [left.goods, left.shipping, left.salesTax, left.marketplaceTax];
    if (paidBack <= ZERO || parts.some((part) => part < ZERO) || paidBack > sum(parts)) return undefined;
    const [goods = ZERO, shipping = ZERO, salesTax = ZERO, marketplaceTax = ZERO] = allocate(paidBack, parts);
    left = {
      goods: subtract(left.goods, goods),
      shipping: subtract(left.shipping, shipping),
      salesTax: subtract(left.salesTax, salesTax),
      marketplaceTax: subtract(left.marketplaceTax, marketplaceTax),
    };
    const lines = linesFor(goods, order.lines);
    return { amount: add(goods, shipping), shipping, salesTax, marketplaceTax, lines };
  };
};

/** The lines of the order with their shares: a part of several pieces is one piece of that size. */
const linesFor = (goods: Money, lines: readonly SaleLine[]): readonly SaleLine[] => {
  const nets = lines.map((line) => Math.max(0, netOf(line)));
  if (goods === ZERO || nets.every((net) => net === 0)) return [];
  return allocate(goods, nets).flatMap((share, index) => {
    const line = lines[index];
    if (!line || share === ZERO) return [];
    return [{ ...line, quantity: 1, unitPrice: priceOfMoney(share), discount: ZERO_PRICE }];
  });
};
