import { type Dated, OPEN_END } from '../content/content-folder.ts';
import { knownUntil, outsideSpan } from '../content/local-rates.ts';
import { cityLabel, countyLabel } from '../content/region-names.ts';
import {
  inForce,
  isInForce,
  isSecondary,
  type LocalRate,
  type StateContent,
  type TaxContent,
} from '../content/tax-content.ts';
import {
  type ContentCoverage,
  type ContentGap,
  type LeviedTax,
  LOCAL_LEVELS,
  type RateArea,
  type TaxedSale,
} from '../contract/tax-service.ts';
import { addDays, type CalendarDate, calendarDate, parseDate } from '../kernel/calendar.ts';
import { normaliseAddress } from './order.ts';
import { isIncomplete, missingLevels, type TaxTable, taxTable } from './tax-table.ts';
import { categoryDoubt, holidayDoubts } from './taxability.ts';
import { freightFlags, sourceOf } from './us-tax.ts';

/** Changes of the law before this day do not matter to any sale. */
const EARLIEST = calendarDate('2000-01-01');
const QUARTER_STARTS = ['01-01', '04-01', '07-01', '10-01'] as const;

/** Return the coverage of a tax content, and the days from which its law applies. */
export const contentCoverage = (content: TaxContent): ContentCoverage => {
  const changes = new Map<string, readonly string[]>();
  const changesAt = ({ place }: TaxTable): readonly string[] => {
    const key = `${place.state.code} ${place.county}`;
    const known = changes.get(key) ?? changeDays(content, place);
    changes.set(key, known);
    return known;
  };
  return {
    isIncomplete: (code) => {
      const state = content.states.get(code);
      return state !== undefined && isIncomplete(state, content.boundaries.has(code));
    },
    spanOf: (code, day) => {
      const state = content.states.get(code);
      return state && outsideSpan(state, rowsOn(state, day), day);
    },
    sourcesOf: (code, day) => {
      const state = content.states.get(code);
      if (!state) return undefined;
      const local = rowsOn(state, day);
      const rows = [...state.rates.filter((row) => isInForce(row, day)), ...local];
      const bySource = [...Map.groupBy(rows, ({ source }) => source)];
      bySource.sort(([, one], [, other]) => other.length - one.length);
      const titles = bySource.map(([sources]) =>
        sources
          .split(' ')
          .map((source) => content.sources.get(source) ?? source)
          .join('; '),
      );
      return { titles, until: knownUntil(state, local) };
    },
    secondaryAmong: (code, day, taxes) => {
      const state = content.states.get(code);
      const rows = state ? rowsOn(state, day) : [];
      const secondary = rows.filter(isSecondary);
      const found = taxes.filter((tax) => secondary.some((row) => isRateOf(row, tax, content)));
      if (!state || found.length === 0) return undefined;
      return { names: [...new Set(found.map(({ name }) => name))], until: knownUntil(state, rows) };
    },
    doubtsOf: (code, days, categories, use) => {
      const state = content.states.get(code);
      const day = days.last;
      // Where nothing is taxed, both sides come to the same.
      if (!state || (inForce(state.rates, day)?.rate === 0 && state.localRates.length === 0)) return [];
      const at = { place: { state }, date: day };
      const ofCategories = categories.flatMap((category) => categoryDoubt(content, at, category, use) ?? []);
      const ofFreight = freightFlags(state, inForce(state.freight, day));
      return [...ofCategories, ...ofFreight, ...holidayDoubts(state, days, categories)];
    },
    gapAt: (sale) => {
      const table = tableOf(content, sale);
      const gap = table && gapOf(table);
      return gap && { ...gap, ...(table.place.county !== '' && { area: areaOf(table.place) }) };
    },
    lawSince: (sale) => {
      const table = tableOf(content, sale);
      if (!table) return sale.day;
      const days = [...changesAt(table), ...quarterStarts(content, sale)];
      const last = days
        .filter((day) => day <= sale.day)
        .sort()
        .at(-1);
      return (last !== undefined && last > EARLIEST && parseDate(last)) || EARLIEST;
    },
  };
};

/** Return the table of the place that determines the tax; `undefined` if the content does not have its state. */
const tableOf = (content: TaxContent, { from, to, day }: TaxedSale): TaxTable | undefined => {
  const destination = normaliseAddress(to);
  const state = content.states.get(destination.state);
  if (destination.country !== 'US' || !state) return undefined;
  const { situs, remote } = sourceOf(state, destination, normaliseAddress(from), day);
  return taxTable(content, { ...situs, state, date: day, remote });
};

const areaOf = ({ county, place }: TaxTable['place']): RateArea => ({
  counties: (place?.counties ?? [county]).join(' '),
  place: place?.name ?? '',
});

/**
 * Return what the coverage of a state lacks, without the levels for which the content has a rate at the place. On a day
 * that its sources do not cover, the rate of every local level may be another.
 */
const gapOf = ({ place, localRows, date }: TaxTable): ContentGap | undefined => {
  const { coverage, localRates } = place.state;
  if (coverage === 'none') return undefined;
  const isPlaceless = place.precision === 'state' && localRates.length > 0;
  if (isPlaceless) return { levels: LOCAL_LEVELS, isPlaceless };
  const general = localRows.filter(({ tax }) => tax === 'general');
  const levels = missingLevels(place, general, date);
  // A place without a rate may have got one since: whether the table of the state is newer says it.
  const span = outsideSpan(place.state, general.length > 0 ? general : rowsOn(place.state, date), date);
  // Where a level has no rate at all, it is the gap; outside the days of the others, they may be wrong as well. There a
  // district that the whole state lacks is one more rate that may be newer.
  const isOutdated = span !== undefined && general.some(({ level }) => level === 'city');
  if (levels.length > 0 && !isOutdated) return { levels: span === undefined ? levels : LOCAL_LEVELS };
  if (span === undefined) return undefined;
  const isEarly = date < place.state.coveredSince;
  return { levels: LOCAL_LEVELS, span, ...(isEarly && { isEarly }) };
};

const rowsOn = ({ localRates }: StateContent, day: CalendarDate): readonly LocalRate[] =>
  localRates.filter((row) => isInForce(row, day));

/**
 * Whether a row may be the rate of a tax. Districts of one place are one tax there: each of its county that is not above
 * it may be in it.
 */
const isRateOf = (row: LocalRate, { level, name, rate }: LeviedTax, content: TaxContent): boolean => {
  if (row.level !== level) return false;
  if (level !== 'special') return (level === 'county' ? countyLabel : cityLabel)(row.name) === name;
  const fips = content.stateFips.get(row.state) ?? '';
  const counties = row.counties.map((code) => countyLabel(content.counties.get(`${fips}${code}`) ?? ''));
  return row.rate <= rate && counties.includes(name.split(' / ')[0] ?? '');
};

/** List the days on which a rate or a rule of a state, or of one of its counties, begins or has ended. */
const changeDays = (content: TaxContent, { state, county }: TaxTable['place']): readonly string[] => {
  const taxability = [...content.taxability].flatMap(([, states]) => [
    ...(states.get(state.code) ?? []),
    ...(states.get('*') ?? []),
  ]);
  // If the county is unknown, the rates that every place has depend on all places.
  const isAnywhere = content.boundaries.has(state.code) || county === '';
  const local = isAnywhere ? state.localRates : (state.localByCounty.get(county) ?? []);
  const localities = [...content.localities].flatMap(([key, rows]) =>
    key.endsWith(` ${state.code}`) ? rows : [],
  );
  const rows: readonly Dated[] = [
    ...state.rates,
    ...state.sourcing,
    ...state.freight,
    ...state.special,
    ...state.holidays.filter(({ codes, on }) => on && codes.length > 0),
    ...taxability,
    ...localities,
    ...local,
  ];
  return [...new Set(rows.flatMap(({ from, to }) => [from, ...(to === OPEN_END ? [] : dayAfter(to))]))];
};

const dayAfter = (text: string): readonly CalendarDate[] => {
  const day = parseDate(text);
  return day === undefined ? [] : [addDays(day, 1)];
};

/** List the first days of quarters for a state with a boundary file, because each quarter has a new one. */
const quarterStarts = (content: TaxContent, { to, day }: TaxedSale): readonly string[] =>
  content.boundaries.has(to.state) ? QUARTER_STARTS.map((start) => `${day.slice(0, 4)}-${start}`) : [];
