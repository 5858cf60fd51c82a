import type { Explanation } from '../../contract/explanation.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { Order } from './order.ts';
import { type OrderRules, taxOrder } from './order-tax.ts';
import { centsOfRaw } from './raw-tax.ts';
import type { UnitRule } from './unit-rule.ts';

/** What the tax of an order would be if doubtful law were the other way round, rule by rule. */
export const doubtsOf = (order: Order, rules: OrderRules): NonNullable<Explanation['doubts']> => {
  const lines = new Map<UnitRule, string[]>();
  for (const [index, rule] of rules.lineRules.entries()) {
    const id = order.lines[index]?.id;
    if (rule.doubt && id !== undefined) lines.set(rule, [...(lines.get(rule) ?? []), id]);
  }
  return [...lines].flatMap(([rule, units]) => {
    if (!rule.doubt) return [];
    const { why, otherwise } = rule.doubt;
    const lineRules = rules.lineRules.map((one) => (one === rule ? otherwise : one));
    return [{ units, why, tax: taxOf(order, rules), otherwise: taxOf(order, { ...rules, lineRules }) }];
  });
};

const taxOf = (order: Order, rules: OrderRules): string =>
  formatMoney(centsOfRaw(taxOrder(order, rules).raw));
