import { leastLocalRates, localRatesAt, outsideSpan } from '../content/local-rates.ts';
import { findPlace, type TaxPlace } from '../content/place-lookup.ts';
import { cityLabel } from '../content/region-names.ts';
import {
  type FreightRow,
  inForce,
  isInForce,
  type LocalRate,
  nearest,
  type StateContent,
  type StateRate,
  type TaxContent,
} from '../content/tax-content.ts';
import { LOCAL_LEVELS, type LocalLevel } from '../contract/tax-service.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { formatRate } from '../kernel/money.ts';
import { textsIn } from '../kernel/text.ts';
import type { UnitRule } from './order-tax.ts';

/** All rules that tax a unit at one place on one day. Built once for each place and day. */
export type TaxTable = {
  readonly place: TaxPlace;
  readonly date: CalendarDate;
  /** Rates on goods without a special treatment of their category. */
  readonly rates: LevelRates;
  /** The same, but with the local rates on grocery food. */
  readonly foodRates: LevelRates;
  readonly stateRate: StateRate | undefined;
  readonly localRows: readonly LocalRate[];
  readonly freight: FreightRow | undefined;
  readonly flags: readonly string[];
  /** Rules by category, added on demand. */
  readonly rules: Map<string, UnitRule>;
};

/** The place and the kind of sale that a table is for. */
type TableQuery = {
  readonly state: StateContent;
  readonly zip: string;
  readonly city: string;
  readonly street: string;
  readonly date: CalendarDate;
  /** Whether the seller ships from another state: such sellers may elect a rate of their own. */
  readonly remote: boolean;
  /** Whether the seller has elected the rate that the state offers to such sellers. */
  readonly oneRate?: boolean;
};

/** Maximum number of tables before the cache is cleared: about 60 MB at most, whatever callers request. */
const TABLES_MAX = 4_000;

export const taxTable = (content: TaxContent, query: TableQuery): TaxTable => {
  const street = content.boundaries.has(query.state.code) ? query.street : '';
  const key = `${query.state.code}|${query.zip}|${query.city}|${query.date}|${query.remote ? 1 : 0}|${query.oneRate ? 1 : 0}|${street}`;
  const known = content.memory.get(key) as TaxTable | undefined;
  if (known) return known;
  if (content.memory.size >= TABLES_MAX) content.memory.clear();
  const table = buildTable(content, query);
  content.memory.set(key, table);
  return table;
};

const buildTable = (content: TaxContent, query: TableQuery): TaxTable => {
  const { state, date } = query;
  const found = findPlace(content, query, date);
  const localRows =
    found.precision === 'state' ? leastLocalRates(content, state, date) : localRatesAt(found, date);
  const general = localRows.filter(({ tax }) => tax === 'general');
  const place = withTaxingCity(found, general);
  const stateRate = inForce(state.rates, date) ?? nearest(state.rates, date);
  const nominal = sumByLevel(stateRate?.rate ?? 0, general);
  const span = outsideSpan(state, general, date);
  const lack = date < state.coveredSince ? `one of ${date} may be missing` : 'a later change may be missing';
  const flags = textsIn([
    ...place.flags,
    stateRateFlag(state, stateRate, date),
    missingLevels(place, general, date).length > 0 &&
      `Local rates of ${state.code} are not complete (${coverageInWords(state)}); a local tax may be missing.`,
    ...startFlags(general, date, content.date),
    span !== undefined && `Local rates of ${state.code} are ${span}: ${lack}.`,
    ...rateFlags(general),
  ]);
  const rates = settleRates(query, nominal);
  const foodRates = settleRates(query, sumByLevel(rates[0], foodRows(localRows)));
  return {
    place,
    date,
    rates,
    foodRates,
    stateRate,
    localRows,
    freight: inForce(state.freight, date),
    flags,
    rules: new Map(),
  };
};

/**
 * Name the level of cities after the body whose rate applies: the area outside of cities, or a location of a boundary file
 * that is not in the table of places. Otherwise its tax would be filed under the city of the mail.
 */
const withTaxingCity = (place: TaxPlace, rows: readonly LocalRate[]): TaxPlace => {
  const row = rows.find(({ level }) => level === 'city');
  const isNamed = place.cityName !== undefined && row?.scope !== 'unincorporated';
  if (row === undefined || isNamed || place.precision === 'state') return place;
  return { ...place, cityName: cityLabel(row.name) };
};

/** Apply a state's limit on all local taxes together, and the elections of remote sellers. */
const settleRates = ({ state, date, remote, oneRate }: TableQuery, nominal: LevelRates): LevelRates => {
  let rates = nominal;
  for (const rule of state.special) {
    if (!isInForce(rule, date)) continue;
    if (rule.kind === 'local-total-cap') rates = capLocal(rates, rule.rate);
    else if (!(remote && oneRate)) continue;
    else if (rule.kind === 'flat-local') rates = [rates[0], 0, 0, rule.rate];
    else if (rule.kind === 'flat-total') rates = [rates[0], 0, 0, Math.max(0, rule.rate - rates[0])];
  }
  return rates;
};

const stateRateFlag = ({ code }: StateContent, row: StateRate | undefined, date: CalendarDate) => {
  if (row === undefined) return `No rate of ${code} is known: nothing could be calculated for the state.`;
  if (row.from === '' && date < row.knownSince)
    return `The rate of ${code} is known since ${row.knownSince}: whether it held on ${date} is not.`;
  if (isInForce(row, date)) return undefined;
  return `No rate of ${code} is known for ${date}: its rate of ${row.from}, ${formatRate(row.rate)}, was applied.`;
};

/** Flag rates with an unknown start. A source that names no day was seen when the content was compiled. */
const startFlags = (rows: readonly LocalRate[], date: CalendarDate, contentDate: CalendarDate): string[] =>
  rows.flatMap((row) => {
    const seen = row.seen === '' ? contentDate : row.seen;
    return row.from === '' && date < seen
      ? [`The rate of ${row.name} was seen on ${seen}; since when it holds is not known.`]
      : [];
  });

/** Return flags for rates whose source is weak, or that apply only in a part of their area. */
export const rateFlags = (rows: readonly LocalRate[]): string[] =>
  rows.filter((row) => !isTrusted(row)).map(rateFlag);

const rateFlag = ({ name, confidence }: LocalRate): string =>
  confidence === 'split'
    ? `The rate of ${name} depends on the street address: that of most addresses was applied.`
    : `The rate of ${name} is ${sureWords({ confidence })}.`;

const TRUSTED: ReadonlySet<string> = new Set(['official-file', 'official-cited', 'secondary', 'secondary-2']);

const SURE_WORDS: Readonly<Record<string, string>> = {
  conflict: 'told differently by its sources',
  'from-memory': 'known from memory alone',
  'in-part': 'known in part',
  weak: 'known from a weak source',
};

/** How surely a row is known, for a sentence: `known from a weak source`. */
export const sureWords = ({ confidence }: { readonly confidence: string }): string =>
  SURE_WORDS[confidence] ?? `only ${confidence}`;

/** Whether a source is reliable enough to need no flag. */
export const isTrusted = ({ confidence }: { readonly confidence: string }): boolean =>
  TRUSTED.has(confidence);

/** Rates of the levels of the United States, in the order state, county, city, special; in 1e-7. */
export type LevelRates = readonly [state: number, county: number, city: number, special: number];

/** The index of each local level in `LevelRates`. */
export const LEVEL_INDEX: Readonly<Record<LocalLevel, 1 | 2 | 3>> = { county: 1, city: 2, special: 3 };

/** Add up the rates of each local level. */
export const sumByLevel = (state: number, rows: readonly LocalRate[]): LevelRates => {
  const sums: [number, number, number, number] = [state, 0, 0, 0];
  for (const row of rows) sums[LEVEL_INDEX[row.level]] += row.rate;
  return sums;
};

/** Return the general rows, with food rows in place of those of the same jurisdictions. */
const foodRows = (rows: readonly LocalRate[]): LocalRate[] => {
  const food = rows.filter(({ tax }) => tax === 'food');
  const replaced = new Set(food.map(({ level, code }) => `${level} ${code}`));
  return [
    ...rows.filter(({ tax, level, code }) => tax === 'general' && !replaced.has(`${level} ${code}`)),
    ...food,
  ];
};

/**
 * Limit the sum of all local taxes: the excess is cut from the special districts first, then from the city, then from
 * the county.
 */
export const capLocal = (rates: LevelRates, cap: number): LevelRates => {
  const capped: [number, number, number, number] = [...rates];
  let excess = capped[1] + capped[2] + capped[3] - cap;
  for (const level of [3, 2, 1] as const) {
    if (excess <= 0) break;
    const cut = Math.min(excess, capped[level]);
    capped[level] -= cut;
    excess -= cut;
  }
  return capped;
};

type CoveredState = Pick<StateContent, 'coverage' | 'coverageSeen' | 'unmappedRates'>;

/** The parts of a place that decide what its rates may lack. */
type CoveredPlace = Pick<TaxPlace, 'boundary'> & { readonly state: CoveredState };

type Row = Pick<LocalRate, 'level' | 'seen'>;

/**
 * List the local levels at which a place may have a rate that the content lacks. `county+city-partial` has all counties
 * and some cities, and a level that is not named may be missing as well. The rates of a city are all that is levied in
 * it, except at a level that is missing in the whole state, as in `city-partial+special-missing`: that is so until an
 * imported file of the state, or another newer table, has the rates of the place. A newer rate whose area is not known
 * may be that of any place that no boundary file locates.
 *
 * @param rows the general local rates of the place
 */
export const missingLevels = (
  { state, boundary }: CoveredPlace,
  rows: readonly Row[],
  date: CalendarDate,
): readonly LocalLevel[] => {
  const { coverage } = state;
  const isCovered = !isPartial(state);
  const words: ReadonlySet<string> = new Set(coverage.split('+'));
  const known = new Set(rows.map(({ level }) => level));
  const unmapped = boundary ? new Set() : unmappedLevels(state, date);
  const isNewer = rows.every((row) => isNewerThanCoverage(state, row));
  return LOCAL_LEVELS.filter((level) => {
    if (known.has(level)) return false;
    if (unmapped.has(level)) return true;
    if (isCovered || words.has(level)) return false;
    return !known.has('city') || (words.has(`${level}-missing`) && !isNewer);
  });
};

/** Whether the local rates of a state are known in part only. */
const isPartial = ({ coverage }: Pick<StateContent, 'coverage'>): boolean =>
  coverage !== 'complete' && coverage !== 'none';

/** Whether a state has local rates that some of its places may lack. */
export const isIncomplete = (state: CoveredState, hasBoundaries: boolean): boolean =>
  isPartial(state) || (!hasBoundaries && newerUnmapped(state).length > 0);

/** Return what may be missing in a state, in words. */
const coverageInWords = (state: Pick<StateContent, 'coverage' | 'coverageNote'>): string =>
  isPartial(state)
    ? `${state.coverage}: ${state.coverageNote}`
    : 'where some imported rates hold is not known, and no boundary file has the address';

const unmappedLevels = (state: CoveredState, date: CalendarDate): ReadonlySet<LocalLevel> =>
  new Set(
    newerUnmapped(state)
      .filter((row) => isInForce(row, date))
      .map(({ level }) => level),
  );

/** List the rates that are newer than what is said of the coverage, and whose area is not known. */
const newerUnmapped = (state: CoveredState): readonly LocalRate[] =>
  state.unmappedRates.filter((row) => row.rate > 0 && isNewerThanCoverage(state, row));

/** Whether a row was seen after the coverage of its state was described. */
const isNewerThanCoverage = ({ coverageSeen }: CoveredState, { seen }: Pick<Row, 'seen'>): boolean =>
  seen > coverageSeen;
