import type { Explanation } from '../../contract/explanation.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import type { TaxContent } from '../content/tax-content.ts';
import { feesOf } from './delivery-fees.ts';
import { doubtsOf } from './doubts.ts';
import type { Exemption } from './exemption.ts';
import type { NexusBasis } from './nexus.ts';
import type { Order } from './order.ts';
import type { TaxPlan } from './tax-plan.ts';
import type { RuleNote } from './unit-rule.ts';

/** The explanation of a calculation that found no nexus. */
export const explainNoNexus = (content: TaxContent, date: CalendarDate, flags: string[]): Explanation => ({
  as_of: date,
  content: `${content.name} ${content.version} of ${content.date}`,
  nexus: 'none',
  flags,
});

/** Why an order was taxed as it was: every rule row applied, every jurisdiction, every doubt. */
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
  const doubts = exemption.isExempt ? [] : doubtsOf(order, plan.rules);
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
