import type { DeliveryFee, TaxContent } from '../content/tax-content.ts';
import type { ExemptionType } from '../contract/scalars.ts';
import type { Explanation } from '../contract/tax-result.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { formatMoney, formatPrice } from '../kernel/money.ts';
import { centsOfRaw, hasBase } from './figures.ts';
import { type Order, wholeAmount } from './order.ts';
import { type OrderRules, type RuleNote, taxOrder, taxUnit, type UnitRule } from './order-tax.ts';
import type { NexusBasis, TaxPlan } from './tax-plan.ts';

/** Whether an order is exempt as a whole, and the exemption type that the result names. */
export type Exemption = { readonly isExempt: boolean; readonly type: ExemptionType | undefined };

/** Build the explanation of a calculation that found no nexus. */
export const explainNoNexus = (content: TaxContent, date: CalendarDate, flags: string[]): Explanation => ({
  as_of: date,
  content: `${content.name} ${content.version} of ${content.date}`,
  nexus: 'none',
  flags,
});

/** Explain why an order was taxed as it was: every rule row applied, every jurisdiction, every doubt. */
export const explainPlan = (
  content: TaxContent,
  date: CalendarDate,
  nexus: NexusBasis,
  order: Order,
  plan: TaxPlan,
  exemption: Exemption,
): Explanation => {
  const found = plan.explain();
  const ofUnit = (unit: string, notes: readonly RuleNote[]) => notes.map((note) => ({ unit, ...note }));
  const flags = new Set(found.flags);
  if (order.shipping !== 0) for (const flag of found.freightFlags) flags.add(flag);
  for (const rule of plan.rules.lineRules) for (const flag of rule.flags) flags.add(flag);
  const doubts = exemption.isExempt ? [] : [...doubtsOf(order, plan.rules), ...freightDoubtsOf(order, plan)];
  for (const { units, why } of doubts) if (units === SHIPPING) flags.add(why);
  const fees = exemption.isExempt ? [] : feesOf(order, plan.rules, found.fees);
  for (const { name, amount } of fees)
    if (amount === null) flags.add(`The sale owes the ${name}, whose amount on ${date} is not known.`);
  return {
    as_of: date,
    content: `${content.name} ${content.version} of ${content.date}`,
    nexus: nexus.source,
    precision: found.precision,
    jurisdictions: [...found.jurisdictions],
    rules: [
      ...exemptionNotes(exemption),
      ...ofUnit('order', found.notes),
      ...order.lines.flatMap((line, index) => ofUnit(line.id, plan.rules.lineRules[index]?.notes ?? [])),
      ...ofUnit('shipping', found.freightNotes),
    ],
    flags: [...flags],
    ...(fees.length > 0 && { fees }),
    ...(doubts.length > 0 && { doubts }),
  };
};

const exemptionNotes = ({ isExempt, type }: Exemption) =>
  type === undefined
    ? []
    : [
        {
          unit: 'order',
          rule: `exemption type ${type}`,
          outcome: isExempt ? 'the whole order is exempt' : 'taxed as usual',
          source: 'request or customer',
          confidence: 'stated',
        },
      ];

/** Calculate the tax of an order under the other reading of doubtful law, rule by rule. */
const doubtsOf = (order: Order, rules: OrderRules): NonNullable<Explanation['doubts']> => {
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

/** The unit that explanations name for freight. */
const SHIPPING = ['shipping'];

/** Calculate the tax of an order by other readings of the law on freight. */
const freightDoubtsOf = (order: Order, plan: TaxPlan): NonNullable<Explanation['doubts']> => {
  const tax = taxOf(order, plan.rules);
  return (plan.otherReadings?.() ?? [])
    .map(({ what, rules }) => ({
      units: SHIPPING,
      why: `The law on shipping is open, or leaves a choice: it can be calculated ${what}.`,
      tax,
      otherwise: taxOf(order, rules),
    }))
    .filter(({ otherwise }) => otherwise !== tax);
};

const taxOf = (order: Order, rules: OrderRules): string =>
  formatMoney(centsOfRaw(taxOrder(order, rules).raw));

/** List the fees that an order owes: those whose goods are in it and reach the minimum total of the fee. */
const feesOf = (
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
    const isTaxedByState = hasBase(taxUnit(rule, wholeAmount(net), quantity), 0);
    if (isTaxedByState || fee.alsoCodes.includes(code)) total += net;
  }
  return total > 0 && total >= fee.fromTotal;
};
