import type { Explanation } from '../../contract/explanation.ts';
import { formatPrice } from '../../kernel/price.ts';
import type { DeliveryFee } from '../content/tax-content.ts';
import type { Order } from './order.ts';
import type { OrderRules } from './order-tax.ts';
import { taxUnit } from './unit-tax.ts';

/** The fees that an order owes: those whose goods are in it, and come to as much as the fee asks for. */
export const feesOf = (
  order: Order,
  rules: OrderRules,
  fees: readonly DeliveryFee[],
): NonNullable<Explanation['fees']> =>
  fees
    .filter((fee) => isOwed(order, rules, fee))
    .map(({ name, amount, note, source, confidence }) => ({
      name,
      amount: amount === undefined ? null : formatPrice(amount),
      note,
      source,
      confidence,
    }));

const isOwed = (order: Order, { lineRules }: OrderRules, fee: DeliveryFee): boolean => {
  let total = 0;
  for (const [index, { code, net, quantity }] of order.lines.entries()) {
    const rule = lineRules[index];
    if (!rule || fee.exceptCodes.includes(code)) continue;
    const isTaxedByState = taxUnit(rule, net, quantity).bases[0] !== 0;
    if (isTaxedByState || fee.alsoCodes.includes(code)) total += net;
  }
  return total > 0 && total >= fee.fromTotal;
};
