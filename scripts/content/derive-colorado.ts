import { type Fact, field } from './fact-file.ts';
import { countyFinder, localFacts, placeCodes, type RateRow } from './rate-row.ts';

const STATE = 'CO';

/** A part of the rate of an area in one year. */
type Part = { readonly level: RateRow['level']; readonly code: string; readonly rate: string };

/** One area of a county in one year: the land outside its cities (`''`), or a city. */
type Area = {
  readonly county: string;
  readonly countyName: string;
  readonly place: string;
  readonly parts: readonly Part[];
};

const DISTRICTS: Readonly<Record<string, string>> = {
  RTD: 'Regional Transportation District',
  CD: 'Scientific and Cultural Facilities District',
  RTA: 'Regional transportation authority',
  MTS: 'Mass transit system',
  MDT: 'Metropolitan district tax',
  LID: 'Local improvement district',
  HSD: 'Health services district',
  FPD: 'Fire protection district',
  MHA: 'Multi-jurisdictional housing authority',
  PSI: 'Public safety improvements',
};

/** `county=0.0075;city=0.0375;RTD=0.01`: parts of rate 0 are left out. */
const partsOf = (fact: Fact): Part[] =>
  field(fact, 'note')
    .split(';')
    .map((text) => text.split('='))
    .filter(([, rate]) => Number(rate) > 0)
    .map(([word = '', rate = '']) => {
      if (word === 'county' || word === 'city') return { level: word, code: '', rate };
      return { level: 'special', code: word, rate };
    });

/** Rows of one year and county, each with the areas in which it holds. */
type YearRow = Omit<RateRow, 'from' | 'to' | 'seen' | 'confidence'>;

const keyOf = (row: YearRow): string =>
  [row.level, row.code, row.name, row.scope, row.counties, row.places, row.exceptPlaces, row.rate].join('|');

/**
 * The rates of Colorado by year: each part under its own level, in the areas that have it. The tables have no begin
 * dates: a table speaks for its calendar year. Where it differs from the table of the year before, the day of the change
 * is not known, and the part of the year before the table's day is not trusted, unless the list of changes (`general`) has it.
 */
export const deriveColorado = (folder: string, general: readonly RateRow[]): RateRow[] => {
  const starts = new Set(general.map((row) => startKey(row, row.from)));
  const countyCode = countyFinder(folder, STATE);
  const placeCode = placeCodes(folder, STATE);
  const years = [
    ...Map.groupBy(steadied(localFacts(folder, 'local-rates-co.csv')), (fact) => field(fact, 'as_of')),
  ];
  const rows: RateRow[] = [];
  let before = new Map<string, RateRow>();
  for (const [seen, facts] of years.sort(([left], [right]) => (left < right ? -1 : 1))) {
    const year = seen.slice(0, 4);
    const now = new Map<string, RateRow>();
    for (const row of yearRows(facts, countyCode, placeCode)) {
      const known = before.get(keyOf(row));
      const isFirst = before.size === 0;
      const january = `${year}-01-01`;
      const isSure = isFirst || starts.has(startKey(row, january));
      const from = known?.from ?? (isSure ? january : seen);
      if (!known && !isSure) rows.push(unsure(row, january, seen));
      now.set(keyOf(row), { ...row, from, to: `${year}-12-31`, seen, confidence: 'secondary' });
    }
    for (const [key, row] of before) if (!now.has(key)) rows.push(row);
    before = now;
  }
  // The newest table holds on: the coverage of the state says until when it is known.
  rows.push(...[...before.values()].map(({ to: _, ...row }) => row));
  return rows;
};

/** The tables were typed by hand: a figure of one year that the years on both sides agree against is a slip. */
const steadied = (facts: readonly Fact[]): Fact[] => {
  const areas = Map.groupBy(facts, (fact) => `${field(fact, 'county')} ${field(fact, 'name')}`);
  return [...areas.values()].flatMap((years) =>
    years.map((fact, index) => {
      const [before, after] = [years[index - 1], years[index + 1]];
      const isSlip = before && after && before['note'] === after['note'] && before['note'] !== fact['note'];
      return isSlip ? { ...fact, note: field(before, 'note'), rate: field(before, 'rate') } : fact;
    }),
  );
};

/** A rate of a jurisdiction that begins on a day, whatever its area. */
const startKey = ({ level, code, rate }: YearRow, from: string | undefined): string =>
  [level, code, Number(rate), from].join(' ');

const unsure = (row: YearRow, from: string, seen: string): RateRow => ({
  ...row,
  from,
  to: dayBefore(seen),
  seen,
  confidence: 'weak',
  note: `differs from the table of the year before; the day of the change is not known`,
});

const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

const yearRows = (
  facts: readonly Fact[],
  countyCode: (name: string) => string,
  placeCode: ReadonlyMap<string, string>,
): YearRow[] => {
  const [mapped, unmapped]: [Area[], YearRow[]] = [[], []];
  for (const fact of facts) {
    const [county, city] = [countyCode(field(fact, 'county')), field(fact, 'city')];
    const isKnown = city === '' || placeCode.has(`${county} ${city.toLowerCase()}`);
    const countyName = `${field(fact, 'county')} County`;
    if (isKnown) mapped.push({ county, countyName, place: city, parts: partsOf(fact) });
    else unmapped.push(withoutArea(fact, county));
  }
  const byCounty = [...Map.groupBy(mapped, ({ county }) => county)];
  return [...byCounty.flatMap(([county, areas]) => countyRows(county, areas, placeCode)), ...unmapped];
};

const base = { state: STATE, source: 'co-dr1002' } as const;

/** An area that no list of places has: its whole local part, for a person to read. */
const withoutArea = (fact: Fact, county: string): YearRow => ({
  ...base,
  level: 'special',
  code: field(fact, 'name'),
  name: field(fact, 'name'),
  scope: 'unmapped',
  counties: [county],
  rate: field(fact, 'rate'),
  note: 'the whole local part of an area whose borders are not known',
});

/** The parts of a county's areas: a part of the land outside its cities holds everywhere but in the cities without it. */
const countyRows = (
  county: string,
  areas: readonly Area[],
  placeCode: ReadonlyMap<string, string>,
): YearRow[] => {
  const all = areas.flatMap((area) => area.parts.map((part) => ({ area, part })));
  const groups = Map.groupBy(all, ({ area, part }) =>
    [part.level, part.code, part.rate, part.level === 'city' ? area.place : ''].join('|'),
  );
  return [...groups.values()].flatMap((group): YearRow[] => {
    const [first] = group;
    if (!first) return [];
    const { area, part } = first;
    const names = {
      county: { code: county, name: area.countyName },
      city: { code: placeCode.get(`${county} ${area.place.toLowerCase()}`) ?? '', name: area.place },
      special: { code: part.code, name: DISTRICTS[part.code] ?? `District tax ${part.code}` },
    };
    const row = { ...base, level: part.level, ...names[part.level], rate: part.rate, counties: [county] };
    const inside = new Set(group.map(({ area: { place } }) => place));
    if (!inside.has('')) return [{ ...row, scope: 'place' as const, places: [...inside] }];
    const exceptPlaces = areas.map(({ place }) => place).filter((place) => !inside.has(place));
    return [{ ...row, scope: 'county' as const, exceptPlaces }];
  });
};
