import { formatRate } from '../../kernel/money.ts';
import { inForce, isInForce } from '../content/dated.ts';
import type { LocalityExemption, TaxabilityRow, TaxContent } from '../content/tax-content.ts';
import { rateFlags, type TaxTable } from './tax-table.ts';
import type { RuleNote } from './unit-rule.ts';

/** The local rates (county, city, special) on a category, with notes and flags. */
export type LocalOutcome = {
  readonly rates: readonly [number, number, number];
  readonly notes: readonly RuleNote[];
  readonly flags: readonly string[];
};

/** Grocery food, which may have separate local rates. */
const FOOD = '40030';
const NO_RATES = [0, 0, 0] as const;

const outcome = (rates: readonly [number, number, number], flag?: string): LocalOutcome => ({
  rates,
  notes: [],
  flags: flag === undefined ? [] : [flag],
});

/** Return the local rates on a category that the state treats according to a row. */
export const localRatesOf = (
  content: TaxContent,
  table: TaxTable,
  row: TaxabilityRow,
  code: string,
): LocalOutcome => {
  const isFood = row.code === FOOD || code === FOOD;
  const full = (isFood ? table.foodRates : table.rates).slice(1) as [number, number, number];
  switch (row.local) {
    case 'follow':
      return outcome(row.treatment === 'exempt' || row.treatment === 'threshold' ? NO_RATES : full);
    case 'full':
      return outcome(full);
    case 'exempt':
      return outcome(NO_RATES);
    case 'uniform':
      return outcome([row.localRate ?? 0, 0, 0]);
    case 'food-rows':
      return ownRowsOutcome(table, row, 'food');
    case 'drug-rows':
      return ownRowsOutcome(table, row, 'drugs');
    case 'listed-exempt':
      return listedOutcome(content, table, row, full);
    case 'like':
      return likeOutcome(content, table, row);
    case 'unknown':
      return outcome(
        full,
        `Whether local taxes of ${row.state} apply to category ${code} is not known: taxed in full.`,
      );
  }
};

/**
 * Apply only the rows for this kind of goods. If localities decide, and no row of the place's county or city shows a
 * decision, the rate that the rule assumes is applied as the city's.
 */
const ownRowsOutcome = (table: TaxTable, row: TaxabilityRow, tax: 'food' | 'drugs'): LocalOutcome => {
  const own = table.localRows.filter((rate) => rate.tax === tax);
  const sum = (level: string) =>
    own.reduce((total, rate) => total + (rate.level === level ? rate.rate : 0), 0);
  const rates = [sum('county'), sum('city'), sum('special')] as const;
  const flags = rateFlags(own);
  const isDecided = own.some(({ level }) => level !== 'special');
  if (row.localRate === undefined || isDecided) return { rates, notes: [], flags };
  const assumed = row.localRate === 0 ? 'none was applied' : `${formatRate(row.localRate)} was applied`;
  return {
    rates: [rates[0], row.localRate, rates[2]],
    notes: [],
    flags: [...flags, `Local taxes on ${tax} differ by place (${row.note}); ${assumed}.`],
  };
};

/** Apply local taxes, except where a county is listed as exempting the category. */
const listedOutcome = (
  content: TaxContent,
  table: TaxTable,
  row: TaxabilityRow,
  full: readonly [number, number, number],
): LocalOutcome => {
  const listed = (content.localities.get(`${row.code} ${row.state}`) ?? []).find((entry) =>
    exempts(entry, table),
  );
  if (!listed) return outcome(full);
  const note = {
    rule: `locality exemption in ${table.place.countyName ?? listed.county}`,
    outcome: 'local taxes exempt',
    source: listed.source,
    confidence: listed.confidence,
  };
  return { rates: NO_RATES, notes: [note], flags: [] };
};

const exempts = (entry: LocalityExemption, { place, date }: TaxTable): boolean =>
  entry.county === place.county &&
  isInForce(entry, date) &&
  !(place.place !== undefined && entry.exceptPlaces.has(place.place.key));

const likeOutcome = (content: TaxContent, table: TaxTable, row: TaxabilityRow): LocalOutcome => {
  const states = content.taxability.get(row.localLike);
  const other = inForce(states?.get(table.place.state.code) ?? states?.get('*') ?? [], table.date);
  if (!other?.on || other.local === 'like') {
    return outcome(
      table.rates.slice(1) as [number, number, number],
      `Whether local taxes apply to category ${row.code} as to ${row.localLike} is not known: taxed in full.`,
    );
  }
  return localRatesOf(content, table, { ...other, treatment: row.treatment }, row.localLike);
};
