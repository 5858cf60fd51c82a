import type { CalendarDate } from '../../kernel/calendar.ts';
import { formatRate, type Rate } from '../../kernel/rate.ts';
import { inForce, nearest } from '../content/dated.ts';
import { localRatesAt } from '../content/local-rates-at.ts';
import { findPlace, type TaxPlace } from '../content/place-lookup.ts';
import type { FreightRow, LocalRate, StateContent, StateRate, TaxContent } from '../content/tax-content.ts';
import { capLocal, foodRows, type LevelRates, sumByLevel } from './level-rates.ts';
import { plainRule, type RuleNote, type UnitRule } from './unit-rule.ts';

/** Everything that taxes a unit at one place on one day. Worked out once for each place and day. */
export type TaxTable = {
  readonly place: TaxPlace;
  readonly date: CalendarDate;
  /** Rates on goods that no category treats apart. */
  readonly rates: LevelRates;
  /** The same, with the local rates on grocery food. */
  readonly foodRates: LevelRates;
  readonly hasFoodRows: boolean;
  readonly stateRate: StateRate | undefined;
  readonly localRows: readonly LocalRate[];
  readonly freight: FreightRow | undefined;
  readonly shippingRule: UnitRule;
  readonly notes: readonly RuleNote[];
  readonly flags: readonly string[];
  /** Rules by category, filled as categories are asked for. */
  readonly rules: Map<string, UnitRule>;
};

/** The place and the kind of sale that a table is for. */
export type TableQuery = {
  readonly state: StateContent;
  readonly zip: string;
  readonly city: string;
  readonly street: string;
  readonly date: CalendarDate;
  /** Whether the seller ships from another state: such sellers may elect a rate of their own. */
  readonly remote: boolean;
};

/** Tables kept before the memory is started afresh: at most some 60 MB, whatever callers ask for. */
const TABLES_MAX = 4_000;

export const taxTable = (content: TaxContent, query: TableQuery): TaxTable => {
  const street = content.boundaries.has(query.state.code) ? query.street : '';
  const key = `${query.state.code}|${query.zip}|${query.city}|${query.date}|${query.remote ? 1 : 0}|${street}`;
  const known = content.memory.get(key) as TaxTable | undefined;
  if (known) return known;
  if (content.memory.size >= TABLES_MAX) content.memory.clear();
  const table = buildTable(content, query);
  content.memory.set(key, table);
  return table;
};

const buildTable = (content: TaxContent, query: TableQuery): TaxTable => {
  const { state, date } = query;
  const place = findPlace(content, query, date);
  const localRows = localRatesAt(place, date);
  const general = localRows.filter(({ tax }) => tax === 'general');
  const stateRate = inForce(state.rates, date) ?? nearest(state.rates, date);
  const notes: RuleNote[] = [];
  const flags = [
    ...place.flags,
    ...stateRateFlags(state, stateRate, date),
    ...coverageFlags(place, general, date, content.date),
  ];
  const nominal = sumByLevel(stateRate?.rate ?? 0, general);
  const rates = settleRates(query, nominal, notes);
  const foodRates = settleRates(query, sumByLevel(rates[0], foodRows(localRows)), []);
  return {
    place,
    date,
    rates,
    foodRates,
    hasFoodRows: localRows.some(({ tax }) => tax === 'food'),
    stateRate,
    localRows,
    freight: inForce(state.freight, date),
    shippingRule: plainRule(rates),
    notes,
    flags,
    rules: new Map(),
  };
};

/** Apply what a state says of all local taxes together, and what remote sellers elected. */
const settleRates = (
  { state, date, remote }: TableQuery,
  nominal: LevelRates,
  notes: RuleNote[],
): LevelRates => {
  let rates = nominal;
  for (const rule of state.special) {
    if (!(rule.from <= date && date <= rule.to) || !rule.elected) continue;
    const before = rates;
    if (rule.kind === 'local-total-cap') rates = capLocal(rates, rule.rate);
    else if (!remote) continue;
    else if (rule.kind === 'flat-local') rates = [rates[0], 0, 0, rule.rate];
    else if (rule.kind === 'flat-total') rates = [rates[0], 0, 0, Math.max(0, rule.rate - rates[0])];
    if (rates.every((value, level) => value === before[level])) continue;
    notes.push({
      rule: `${rule.kind} ${state.code} ${formatRate(rule.rate)}`,
      outcome: rule.note,
      source: rule.source,
      confidence: rule.confidence,
    });
  }
  return rates;
};

const stateRateFlags = (state: StateContent, row: StateRate | undefined, date: CalendarDate): string[] => {
  if (row === undefined)
    return [`No rate of ${state.code} is known: nothing could be calculated for the state.`];
  if (row.from === '' && date < row.knownSince)
    return [`The rate of ${state.code} is known since ${row.knownSince}: whether it held on ${date} is not.`];
  if (row.from <= date && date <= row.to) return [];
  return [
    `No rate of ${state.code} is known for ${date}: its rate of ${row.from}, ${formatRate(row.rate as Rate)}, was applied.`,
  ];
};

/** A source that names no day was seen when the content was put together. */
const coverageFlags = (
  place: TaxPlace,
  rows: readonly LocalRate[],
  date: CalendarDate,
  contentDate: CalendarDate,
): string[] => {
  const flags: string[] = [];
  const { coverage, coverageNote, code } = place.state;
  if (coverage !== 'complete' && coverage !== 'none' && !rows.some(({ level }) => level === 'city')) {
    flags.push(
      `Local rates of ${code} are not complete (${coverage}: ${coverageNote}); a local tax may be missing.`,
    );
  }
  for (const row of rows) {
    const seen = row.seen === '' ? contentDate : row.seen;
    if (row.from === '' && date < seen) {
      flags.push(`The rate of ${row.name} was seen on ${seen}; since when it holds is not known.`);
    }
    if (!isTrusted(row)) flags.push(`The rate of ${row.name} is ${row.confidence}.`);
  }
  return flags;
};

const TRUSTED: ReadonlySet<string> = new Set(['official-file', 'official-cited', 'secondary', 'secondary-2']);

/** Whether a source says so that needs no word of caution. */
export const isTrusted = ({ confidence }: { readonly confidence: string }): boolean =>
  TRUSTED.has(confidence);
