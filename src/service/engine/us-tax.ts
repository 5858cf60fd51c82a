import type { Jurisdictions, TaxSource } from '../../contract/tax-result.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { formatPercent, type Rate, rate } from '../../kernel/money.ts';
import { inForce, isInForce } from '../content/dated.ts';
import type { FreightReading } from '../content/freight-row.ts';
import type { TaxPlace } from '../content/place-lookup.ts';
import type { DatedRate, LocalRate, StateContent, TaxContent } from '../content/tax-content.ts';
import type { FullAddress } from './address.ts';
import { takesOneRate } from './nexus.ts';
import type { Order } from './order.ts';
import type { Carrier, Freight, OrderRules } from './order-tax.ts';
import { passedOnBy, passedOnNotes } from './passed-on.ts';
import type { Seller } from './seller.ts';
import { explainedRate, type PlanExplanation, type RulesRead, type TaxPlan } from './tax-plan.ts';
import { isTrusted, type TaxTable, taxTable } from './tax-table.ts';
import { ruleFor } from './taxability.ts';
import { plainRule, type RuleNote, type UnitRule } from './unit-rule.ts';
import { usBreakdown } from './us-breakdown.ts';

/** Plan the tax of an order to a place in the United States. */
export const usPlan = (
  content: TaxContent,
  order: Order,
  to: FullAddress,
  from: FullAddress | undefined,
  date: CalendarDate,
  seller: Seller,
): TaxPlan => {
  const state = content.states.get(to.state) ?? stateWithoutRates(to.state);
  const sourcing = sourceOf(state, to, from, date);
  const { zip, city, street } = sourcing.situs;
  const oneRate = takesOneRate(seller, to, date);
  const table = taxTable(content, { state, zip, city, street, date, remote: sourcing.remote, oneRate });
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
    otherReadings: () => otherReadings(order, rules, table),
    explain: () => explainUs(sourcing, table),
  };
};

/** Return where a seller may put the freight of an order: to any line, where an item is exempt below a price. */
const carriersOf = ({ lines, shipping }: Order, lineRules: readonly UnitRule[]): readonly Carrier[] =>
  shipping !== 0 && lineRules.some(({ threshold }) => threshold > 0)
    ? ['shared', ...lines.keys()]
    : ['shared'];

/** Return the other ways to read the law, and what it leaves to the seller: how it treats freight, and what it passes on. */
const otherReadings = (order: Order, rules: OrderRules, table: TaxTable): readonly RulesRead[] => {
  const passedOn = passedOnBy(table);
  if (!passedOn) return freightReadings(order, rules, table);
  const { rates } = passedOn(plainRule(rules.rates));
  const what = `with the tax on the tax passed on, ${formatPercent(rateOfLevels(rates))} in all`;
  const raised: OrderRules = { ...rules, lineRules: rules.lineRules.map(passedOn), rates };
  return [{ what, rules: raised }, ...freightReadings(order, rules, table)];
};

const rateOfLevels = (rates: readonly number[]): Rate => rate(rates.reduce((sum, one) => sum + one, 0));

const freightReadings = (
  { lines }: Order,
  rules: OrderRules,
  { freight }: TaxTable,
): readonly RulesRead[] => [
  ...(rules.carriers ?? []).map((carrier) => ({
    what:
      carrier === 'shared'
        ? 'with shipping shared by price'
        : `with all shipping put to line ${lines[carrier]?.id}`,
    rules: { ...rules, carriers: [carrier] },
  })),
  ...(freight?.otherwise ?? []).map((reading) => ({
    what: `with shipping ${FREIGHT_IN_WORDS[freightOf(reading)]}${reading.inLimits ? ', and counted towards price limits' : ''}`,
    rules: {
      ...rules,
      freight: freightOf(reading),
      isFreightInLimits: reading.inLimits,
      carriers: ['shared' as const],
    },
  })),
];

/** Return a state or territory that is not in the content: calculated without rates, and flagged. */
const stateWithoutRates = (code: string): StateContent => ({
  code,
  name: code,
  rates: [],
  sourcing: [],
  freight: [],
  special: [],
  holidays: [],
  fees: [],
  coverage: 'minimal',
  coverageNote: 'nothing is known',
  coverageSeen: '',
  coveredSince: '',
  coveredUntil: '',
  combinedRates: [],
  localRates: [],
  localByCounty: new Map(),
  unmappedRates: [],
});

/** Whether freight is taxed with taxable goods. */
export const isFreightTaxed = (table: TaxTable): boolean => freightOf(table.freight) !== 'never';

const freightOf = (freight: FreightReading | undefined): Freight => {
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

const FREIGHT_IN_WORDS: Readonly<Record<Freight, string>> = {
  never: 'not taxable',
  'by-itself': 'taxable at the general rates, whatever the goods',
  'in-full': 'taxable with taxable goods, at the general rates',
  'with-taxable-lines': 'taxable with taxable goods, at their rates',
  shared: 'taxable in the share of taxable goods in the price of all',
};

const jurisdictionsOf = ({ place }: TaxTable): Jurisdictions => ({
  country: 'US',
  state: place.state.code,
  ...(place.countyName !== undefined && { county: place.countyName }),
  ...(place.cityName !== undefined && { city: place.cityName }),
});

const explainUs = (sourcing: Sourcing, table: TaxTable): PlanExplanation => {
  const { state } = table.place;
  const freight: RuleNote = {
    rule: `freight in ${state.code}: ${table.freight?.rule ?? 'not known'}`,
    outcome: FREIGHT_IN_WORDS[freightOf(table.freight)],
    source: table.freight?.source ?? '',
    confidence: table.freight?.confidence ?? 'unknown',
  };
  return {
    precision: table.place.precision,
    jurisdictions: [
      ...(table.stateRate ? [stateJurisdiction(state, table.stateRate)] : []),
      ...table.localRows.map(localJurisdiction),
    ],
    notes: [
      ...(sourcing.note ? [sourcing.note] : []),
      ...boundaryNotes(table.place),
      ...table.notes,
      ...passedOnNotes(table),
    ],
    freightNotes: [freight],
    freightFlags: freightFlags(table),
    flags: [...sourcing.flags, ...table.flags],
    fees: state.fees.filter((fee) => isInForce(fee, table.date)),
  };
};

/** Return the record of the state's boundary file that located the address. */
const boundaryNotes = ({ state, boundary }: TaxPlace): RuleNote[] => {
  if (!boundary) return [];
  const { by, county, place, specials, source } = boundary;
  const parts = [
    county && `county ${county}`,
    place && `place ${place}`,
    ...specials.map((code) => `district ${code}`),
  ];
  return [
    {
      rule: `boundary file of ${state.code}: ${by}`,
      outcome: parts.filter((part) => part !== '').join(', ') || 'the state alone',
      source,
      confidence: 'official-file',
    },
  ];
};

const freightFlags = ({ place, freight }: TaxTable): string[] =>
  freight === undefined || isTrusted(freight)
    ? []
    : [`How ${place.state.code} taxes freight is only ${freight.confidence}: ${freight.rule} was applied.`];

const stateJurisdiction = (state: StateContent, row: DatedRate) => ({
  level: 'state',
  name: state.name,
  code: state.code,
  ...explainedRate(row),
});

const localJurisdiction = (row: LocalRate) => ({
  level: row.level,
  name: row.tax === 'general' ? row.name : `${row.name} (${row.tax})`,
  code: row.code,
  ...explainedRate(row),
});

/** The place that determines the tax: the seller's or the buyer's. */
type Sourcing = {
  readonly source: TaxSource;
  readonly situs: FullAddress;
  /** Whether the order comes from outside the state. */
  readonly remote: boolean;
  readonly note: RuleNote | undefined;
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
  const destination = { source: 'destination', situs: to, remote, note: undefined, flags: [] } as const;
  if (remote || row === undefined) return destination;
  const note: RuleNote = {
    rule: `sourcing of ${state.code} for sellers inside the state: ${row.inStateSellers}`,
    outcome: row.inStateSellers === 'origin' ? 'origin' : 'destination',
    source: row.source,
    confidence: row.confidence,
  };
  if (row.inStateSellers !== 'origin') return { ...destination, note };
  if (from.zip === '') {
    const flag = 'The origin has no ZIP: the destination was taxed although the state is sourced by origin.';
    return { ...destination, note: { ...note, outcome: 'destination' }, flags: [flag] };
  }
  return { source: 'origin', situs: from, remote: false, note, flags: [] };
};
