import { type FreightRow, inForce, NO_COVERAGE, type StateContent } from '../content/tax-content.ts';
import type {
  Jurisdictions,
  TaxSource,
  UsBreakdown,
  UsLineBreakdown,
  UsShippingBreakdown,
} from '../contract/tax-result.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { type Rate, rate } from '../kernel/money.ts';
import { centsOfBase, centsOfRaw, combinedRate, printedRate, type RawTax } from './figures.ts';
import type { FullAddress, Order } from './order.ts';
import {
  at,
  type Carrier,
  type Freight,
  type OrderRules,
  type OrderTax,
  type UnitRule,
  type UnitTax,
} from './order-tax.ts';
import { type OrderToTax, type TaxPlan, takesOneRate } from './tax-plan.ts';
import { isTrusted, sureWords, type TaxTable, taxTable } from './tax-table.ts';
import { ruleFor } from './taxability.ts';

/** Plan the tax of an order to a place in the United States. */
export const usPlan = ({ content, order, to, from, date, seller }: OrderToTax): TaxPlan => {
  const state = content.states.get(to.state) ?? stateWithoutRates(to.state);
  const sourcing = sourceOf(state, to, from, date);
  const oneRate = takesOneRate(seller, to, date);
  const table = taxTable(content, { ...sourcing.situs, state, date, remote: sourcing.remote, oneRate });
  const lineRules = order.lines.map(({ code }) => ruleFor(content, table, code, seller.buyerUse));
  const rules: OrderRules = {
    lineRules,
    rates: table.rates,
    freight: freightOf(table.freight),
    isFreightInLimits: table.freight?.inLimits ?? false,
    ...(table.freight?.oneItem && { carriers: carriersOf(order, lineRules) }),
  };
  return {
    source: sourcing.source,
    jurisdictions: jurisdictionsOf(table),
    rules,
    print: usBreakdown,
    doubts: () => [
      ...sourcing.flags,
      ...table.flags,
      ...(order.shipping === 0 ? [] : freightFlags(state, table.freight)),
    ],
  };
};

/** Return where a seller may put the freight of an order: to any line, where an item is exempt below a price. */
const carriersOf = ({ lines, shipping }: Order, lineRules: readonly UnitRule[]): readonly Carrier[] =>
  shipping !== 0 && lineRules.some(({ threshold }) => threshold > 0)
    ? ['shared', ...lines.keys()]
    : ['shared'];

/** Return a state or territory that is not in the content: calculated without rates, and flagged. */
const stateWithoutRates = (code: string): StateContent => ({
  code,
  name: code,
  rates: [],
  sourcing: [],
  freight: [],
  special: [],
  holidays: [],
  ...NO_COVERAGE,
  coverageNote: 'nothing is known',
  localRates: [],
  localByCounty: new Map(),
  unmappedRates: [],
});

/** Whether freight is taxed with taxable goods. */
export const isFreightTaxed = (table: TaxTable): boolean => freightOf(table.freight) !== 'never';

const freightOf = (freight: FreightRow | undefined): Freight => {
  switch (freight?.rule) {
    case 'none':
    case 'exempt':
      return 'never';
    case 'by-itself':
    case 'in-full':
    case 'shared':
      return freight.rule;
    default:
      return 'with-taxable-lines';
  }
};

const jurisdictionsOf = ({ place }: TaxTable): Jurisdictions => ({
  country: 'US',
  state: place.state.code,
  ...(place.countyName !== undefined && { county: place.countyName }),
  ...(place.cityName !== undefined && { city: place.cityName }),
});

/** How freight is taxed, in words, by the word of the content. */
const FREIGHT_WORDS: Readonly<Record<string, string>> = {
  none: 'not taxed',
  exempt: 'not taxed',
  always: 'taxed with taxable goods',
  conditional: 'taxed with taxable goods',
  'in-full': 'taxed with taxable goods at the general rates',
  'by-itself': 'taxed by itself',
  shared: 'taxed by the share of taxable goods',
};

const freightWords = (reading: string): string => {
  const [rule = '', inLimits] = reading.split(' ');
  return `${FREIGHT_WORDS[rule] ?? rule}${inLimits ? ' and counted in price limits' : ''}`;
};

/** Say that it is open, or in doubt, how a state taxes freight. */
export const freightFlags = (state: StateContent, freight: FreightRow | undefined): string[] => {
  if (freight === undefined || (isTrusted(freight) && freight.otherwise === '')) return [];
  const why = isTrusted(freight)
    ? `open, or leaves a choice (${freight.otherwise.split(';').map(freightWords).join('; ')})`
    : sureWords(freight);
  const applied = freightWords(`${freight.rule}${freight.inLimits ? ' in-limits' : ''}`);
  return [`How ${state.code} taxes freight is ${why}: the likelier rule was applied, ${applied}.`];
};

/** The place that determines the tax: the seller's or the buyer's. */
type Sourcing = {
  readonly source: TaxSource;
  readonly situs: FullAddress;
  /** Whether the order comes from outside the state. */
  readonly remote: boolean;
  readonly flags: readonly string[];
};

/**
 * Determine the place whose rates apply. Sellers inside an origin state tax by their own place; all others by the
 * buyer's. If sourcing is mixed, the parts that follow the origin are uniform in the whole state, so the destination
 * gives every rate.
 */
export const sourceOf = (
  state: StateContent,
  to: FullAddress,
  from: FullAddress | undefined,
  date: CalendarDate,
): Sourcing => {
  const remote = from === undefined || from.country !== 'US' || from.state !== state.code;
  const row = inForce(state.sourcing, date);
  const destination = { source: 'destination', situs: to, remote, flags: [] } as const;
  if (remote || row?.inStateSellers !== 'origin') return destination;
  if (from.zip === '') {
    const flag = 'The origin has no ZIP: the destination was taxed although the state is sourced by origin.';
    return { ...destination, flags: [flag] };
  }
  return { source: 'origin', situs: from, remote: false, flags: [] };
};

/** Return the combined rate of a unit; for a unit without an amount, the rate that it would have. */
export const unitRate = (unit: UnitTax) => {
  if (unit.taxable !== 0) return combinedRate(unit);
  return printedRate(unit.rates.reduce((total, value) => total + value, 0));
};

export const cents = (raws: readonly RawTax[], level: number) => centsOfRaw(at(raws, level));
export const base = (bases: readonly number[], level: number) => centsOfBase(at(bases, level));

type Figures = Pick<UnitTax, 'bases' | 'rates' | 'raws' | 'taxable' | 'raw'>;

/**
 * Return a function that prints orders of a country in which the order, its freight and its lines have the same fields
 * for each level.
 */
export const breakdownBy =
  <Fields extends object>(levelsOf: (figures: Figures) => Fields) =>
  (order: Order, tax: OrderTax) => {
    const fields = (figures: Figures, combined: Rate) => ({
      taxable_amount: centsOfBase(figures.taxable),
      tax_collectable: centsOfRaw(figures.raw),
      combined_tax_rate: combined,
      ...levelsOf(figures),
    });
    return {
      ...fields(tax, combinedRate(tax)),
      ...(tax.shipping && { shipping: fields(tax.shipping, unitRate(tax.shipping)) }),
      line_items: order.lines.map(({ id }, index) => {
        const unit = at(tax.lines, index);
        return { id, ...fields(unit, unitRate(unit)) };
      }),
    };
  };

/** What the shipping and a line of an order have alike. */
const unitBreakdown = (unit: UnitTax) => ({
  taxable_amount: centsOfBase(unit.taxable),
  tax_collectable: centsOfRaw(unit.raw),
  combined_tax_rate: unitRate(unit),
  state_taxable_amount: base(unit.bases, 0),
  state_sales_tax_rate: rate(at(unit.rates, 0)),
  state_amount: cents(unit.raws, 0),
  county_taxable_amount: base(unit.bases, 1),
  county_tax_rate: rate(at(unit.rates, 1)),
  county_amount: cents(unit.raws, 1),
  city_taxable_amount: base(unit.bases, 2),
  city_tax_rate: rate(at(unit.rates, 2)),
  city_amount: cents(unit.raws, 2),
  special_tax_rate: rate(at(unit.rates, 3)),
  special_district_amount: cents(unit.raws, 3),
});

const shippingBreakdown = (unit: UnitTax): UsShippingBreakdown => ({
  ...unitBreakdown(unit),
  special_taxable_amount: base(unit.bases, 3),
});

const lineBreakdown = (id: string, unit: UnitTax): UsLineBreakdown => ({
  id,
  ...unitBreakdown(unit),
  special_district_taxable_amount: base(unit.bases, 3),
});

/** Print the figures of an order in the United States, each rounded once. */
export const usBreakdown = (order: Order, tax: OrderTax): UsBreakdown => ({
  taxable_amount: centsOfBase(tax.taxable),
  tax_collectable: centsOfRaw(tax.raw),
  combined_tax_rate: combinedRate(tax),
  state_taxable_amount: base(tax.bases, 0),
  state_tax_rate: rate(at(tax.rates, 0)),
  state_tax_collectable: cents(tax.raws, 0),
  county_taxable_amount: base(tax.bases, 1),
  county_tax_rate: rate(at(tax.rates, 1)),
  county_tax_collectable: cents(tax.raws, 1),
  city_taxable_amount: base(tax.bases, 2),
  city_tax_rate: rate(at(tax.rates, 2)),
  city_tax_collectable: cents(tax.raws, 2),
  special_district_taxable_amount: base(tax.bases, 3),
  special_tax_rate: rate(at(tax.rates, 3)),
  special_district_tax_collectable: cents(tax.raws, 3),
  ...(tax.shipping && { shipping: shippingBreakdown(tax.shipping) }),
  line_items: order.lines.map((line, index) => lineBreakdown(line.id, at(tax.lines, index))),
});
