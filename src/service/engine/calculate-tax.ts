import type { Explanation } from '../../contract/explanation.ts';
import type { ExemptionType } from '../../contract/scalars.ts';
import type { TaxRequest } from '../../contract/tax-request.ts';
import type { TaxResult } from '../../contract/tax-result.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { formatMoney, ZERO } from '../../kernel/money.ts';
import { formatPrice } from '../../kernel/price.ts';
import { ZERO_RATE } from '../../kernel/rate.ts';
import type { DeliveryFee, TaxContent } from '../content/tax-content.ts';
import { checkZip, destinationOf, type FullAddress, originOf } from './address.ts';
import { canadaPlan } from './canada-tax.ts';
import { countryPlan } from './country-tax.ts';
import { type NexusBasis, nexusBasis } from './nexus.ts';
import { type Order, orderOf } from './order.ts';
import { type OrderRules, taxOrder } from './order-tax.ts';
import { centsOfBase, centsOfRaw, rateOfRaw } from './raw-tax.ts';
import type { Customer, Seller } from './seller.ts';
import type { TaxPlan } from './tax-plan.ts';
import { plainRule, type RuleNote, type UnitRule } from './unit-rule.ts';
import { taxUnit } from './unit-tax.ts';
import { usPlan } from './us-tax.ts';

/** Build the explanation of a calculation that found no nexus. */
const explainNoNexus = (content: TaxContent, date: CalendarDate, flags: string[]): Explanation => ({
  as_of: date,
  content: `${content.name} ${content.version} of ${content.date}`,
  nexus: 'none',
  flags,
});

/** Explain why an order was taxed as it was: every rule row applied, every jurisdiction, every doubt. */
const explainPlan = (
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
    const isTaxedByState = taxUnit(rule, net, quantity).bases[0] !== 0;
    if (isTaxedByState || fee.alsoCodes.includes(code)) total += net;
  }
  return total > 0 && total >= fee.fromTotal;
};

type Calculation = {
  readonly request: TaxRequest;
  readonly seller: Seller;
  readonly customer?: Customer | undefined;
  readonly content: TaxContent;
  /** The day whose law and rates apply when the request does not name one. */
  readonly asOf: CalendarDate;
};

/**
 * Calculate the tax to collect on an order. A pure function: the same request, seller, customer, content and day give
 * the same result.
 *
 * @throws {ServiceRefusal} 400 when ZIP and state contradict each other, 406 when a ZIP is malformed or an amount is
 * more than the service calculates with
 */
export const calculateTax = ({ request, seller, customer, content, asOf }: Calculation): TaxResult => {
  const date = request.calculation_date ?? asOf;
  const to = destinationOf(request);
  const from = originOf(request, seller);
  checkZips(content, request, to, from);
  const order = orderOf(request);
  const nexus = nexusBasis(request, seller, to, from, date);
  const plan = planFor(content, order, to, from, nexus, date, seller);
  if (!plan) return noNexus(request, content, to, date);

  const exemption = exemptionOf(request.exemption_type, customer, to);
  const tax = taxOrder(order, exemption.isExempt ? exemptRules(plan.rules) : plan.rules);
  return {
    order_total_amount: centsOfBase(order.total),
    shipping: centsOfBase(order.shipping),
    taxable_amount: centsOfBase(tax.taxable),
    amount_to_collect: centsOfRaw(tax.raw),
    rate: rateOfRaw(tax.raw, tax.taxable),
    has_nexus: true,
    freight_taxable: tax.shipping !== undefined,
    tax_source: plan.source,
    ...(exemption.type !== undefined && { exemption_type: exemption.type }),
    jurisdictions: plan.jurisdictions,
    ...(order.itemized && { breakdown: plan.print(order, tax) }),
    ...(request.explain === true && explained(content, date, nexus, order, plan, exemption)),
  };
};

const checkZips = (
  content: TaxContent,
  request: TaxRequest,
  to: FullAddress,
  from: FullAddress | undefined,
): void => {
  checkZip(content, 'to', to, { zip: request.to_zip, state: request.to_state });
  if (!from) return;
  const isCountryGiven = request.from_country !== undefined;
  checkZip(content, 'from', from, { zip: request.from_zip, state: request.from_state, isCountryGiven });
};

const explained = (
  content: TaxContent,
  date: CalendarDate,
  nexus: NexusBasis,
  order: Order,
  plan: TaxPlan,
  exemption: Exemption,
) => ({ explanation: explainPlan(content, date, nexus, order, plan, exemption) });

/** Return the plan of the destination's country; `undefined` without nexus. */
const planFor = (
  content: TaxContent,
  order: Order,
  to: FullAddress,
  from: FullAddress | undefined,
  nexus: NexusBasis,
  date: CalendarDate,
  seller: Seller,
): TaxPlan | undefined => {
  const country = content.countries.get(to.country);
  switch (country?.kind) {
    case 'us':
      return nexus.holdsIn('US', to.state) ? usPlan(content, order, to, from, date, seller) : undefined;
    case 'provinces':
      return nexus.holdsIn(to.country) ? canadaPlan(country, order, to, nexus, date) : undefined;
    case 'country':
      return countryPlan(content, country, order, to, from, nexus, date);
    default:
      return undefined;
  }
};

/** Return rules that tax nothing: every rate is zero, and freight is not taxed. */
const exemptRules = ({ lineRules, rates }: OrderRules): OrderRules => {
  const zero = plainRule(rates.map(() => 0));
  return { lineRules: lineRules.map(() => zero), rates, freight: 'never', isFreightInLimits: false };
};

const noNexus = (
  request: TaxRequest,
  content: TaxContent,
  to: FullAddress,
  date: CalendarDate,
): TaxResult => {
  const flags = content.countries.has(to.country)
    ? []
    : [`${to.country} is not a country of this content: nothing was calculated.`];
  return {
    taxable_amount: ZERO,
    amount_to_collect: ZERO,
    rate: ZERO_RATE,
    has_nexus: false,
    freight_taxable: false,
    tax_source: null,
    ...(request.explain === true && { explanation: explainNoNexus(content, date, flags) }),
  };
};

/** Whether an order is exempt as a whole, and the exemption type that the result names. */
type Exemption = { readonly isExempt: boolean; readonly type: ExemptionType | undefined };

const EXEMPTING: ReadonlySet<string> = new Set(['wholesale', 'government', 'other']);

const appliesAt = (customer: Customer, to: FullAddress): boolean =>
  customer.exemptRegions.length === 0 ||
  customer.exemptRegions.some(
    (region) => region.country.toUpperCase() === to.country && region.state.toUpperCase() === to.state,
  );

/**
 * Determine the exemption of an order. `marketplace` and `non_exempt` on the order tax it even for an exempt customer.
 * Otherwise a customer whose exemption applies at the destination takes precedence over the order's own type, and
 * either of them exempts.
 */
const exemptionOf = (
  ordered: ExemptionType | undefined,
  customer: Customer | undefined,
  to: FullAddress,
): Exemption => {
  if (ordered === 'marketplace' || ordered === 'non_exempt') return { isExempt: false, type: ordered };
  const applies = customer !== undefined && appliesAt(customer, to);
  if (applies && EXEMPTING.has(customer.exemptionType))
    return { isExempt: true, type: customer.exemptionType };
  if (ordered !== undefined) return { isExempt: true, type: ordered };
  return { isExempt: false, type: applies ? customer.exemptionType : undefined };
};
