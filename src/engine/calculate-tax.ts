import type { TaxContent } from '../content/tax-content.ts';
import type { ExemptionType } from '../contract/scalars.ts';
import type { TaxRequest } from '../contract/tax-request.ts';
import type { TaxResult } from '../contract/tax-result.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { ZERO, ZERO_RATE } from '../kernel/money.ts';
import { canadaPlan, countryPlan } from './country-tax.ts';
import { centsOfBase, centsOfRaw, combinedRate } from './figures.ts';
import {
  checkZip,
  destinationOf,
  type ExemptCustomer,
  type FullAddress,
  isInRegion,
  orderOf,
  originOf,
  type Seller,
} from './order.ts';
import { type OrderRules, plainRule, taxOrder } from './order-tax.ts';
import { nexusBasis, type OrderToTax, type TaxPlan } from './tax-plan.ts';
import { usPlan } from './us-tax.ts';

type Calculation = {
  readonly request: TaxRequest;
  readonly seller: Seller;
  readonly customer?: ExemptCustomer | undefined;
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
  checkZip(content, 'to', to, request);
  if (from) checkZip(content, 'from', from, request);
  const order = orderOf(request);
  const nexus = nexusBasis(request, seller, from, date);
  const plan = planFor({ content, seller, order, to, from, nexus, date });
  if (!plan) return noNexus(request, content, to, date);
  const exemption = exemptionOf(request.exemption_type, customer, to);
  const tax = taxOrder(order, exemption.isExempt ? exemptRules(plan.rules) : plan.rules);
  return {
    order_total_amount: centsOfBase(order.total),
    shipping: centsOfBase(order.shipping),
    taxable_amount: centsOfBase(tax.taxable),
    amount_to_collect: centsOfRaw(tax.raw),
    rate: combinedRate(tax),
    has_nexus: true,
    freight_taxable: tax.shipping !== undefined,
    tax_source: plan.source,
    ...(exemption.type !== undefined && { exemption_type: exemption.type }),
    jurisdictions: plan.jurisdictions,
    ...(order.itemized && { breakdown: plan.print(order, tax) }),
    ...(request.explain === true && {
      explanation: explanationOf(content, date, [
        ...plan.doubts(),
        ...plan.rules.lineRules.flatMap(({ flags }) => flags),
      ]),
    }),
  };
};

/** Whether an order is exempt as a whole, and the exemption type that the result names. */
type Exemption = { readonly isExempt: boolean; readonly type: ExemptionType | undefined };

const explanationOf = (
  { name, version, date }: TaxContent,
  day: CalendarDate,
  flags: readonly string[],
): TaxResult['explanation'] => ({
  as_of: day,
  content: `${name} ${version} of ${date}`,
  flags: [...new Set(flags)],
});

/** Return the plan of the destination's country; `undefined` without nexus. */
const planFor = (given: OrderToTax): TaxPlan | undefined => {
  const { content, to, nexus } = given;
  const country = content.countries.get(to.country);
  switch (country?.kind) {
    case 'us':
      return nexus('US', to.state) ? usPlan(given) : undefined;
    case 'provinces':
      return nexus(to.country) ? canadaPlan(country, given) : undefined;
    case 'country':
      return countryPlan(country, given);
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
    ...(request.explain === true && {
      explanation: explanationOf(content, date, flags),
    }),
  };
};

const EXEMPTING: ReadonlySet<string> = new Set(['wholesale', 'government', 'other']);

const appliesAt = (customer: ExemptCustomer, to: FullAddress): boolean =>
  customer.exempt_regions.length === 0 || customer.exempt_regions.some((region) => isInRegion(region, to));

/**
 * Determine the exemption of an order. `marketplace` and `non_exempt` on the order tax it even for an exempt customer.
 * Otherwise a customer whose exemption applies at the destination takes precedence over the order's own type, and
 * either of them exempts.
 */
const exemptionOf = (
  ordered: ExemptionType | undefined,
  customer: ExemptCustomer | undefined,
  to: FullAddress,
): Exemption => {
  if (ordered === 'marketplace' || ordered === 'non_exempt') return { isExempt: false, type: ordered };
  const applies = customer !== undefined && appliesAt(customer, to);
  if (applies && EXEMPTING.has(customer.exemption_type))
    return { isExempt: true, type: customer.exemption_type };
  if (ordered !== undefined) return { isExempt: true, type: ordered };
  return { isExempt: false, type: applies ? customer.exemption_type : undefined };
};
