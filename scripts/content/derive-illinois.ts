import { type Fact, field, readFacts } from './fact-file.ts';
import { countyFinder, localFacts, placeCodes, type RateRow, rateText, unitsOf } from './rate-row.ts';

const STATE = 'IL';
const STATE_RATE = unitsOf('0.0625');

/** The day of the file with the rates of single cities, and the day on which the newest file was compared. */
const FILE_DAY = '2026-01-01';
const COMPARED = '2026-08-16';
/** The transit tax of six counties has had its rates since the first day, and rose on the second. */
const TRANSIT_SINCE = '2008-04-01';
const TRANSIT_RISE = '2026-08-01';

/** Rates of the transit tax by county: general goods before and after the rise, and food and drugs before it. */
const COOK = {
  name: 'Regional transit (Cook)',
  code: 'RTA-COOK',
  before: '0.01',
  after: '0.0125',
  food: '0.0125',
};
const COLLAR = {
  name: 'Regional transit (collar counties)',
  code: 'RTA-COLLAR',
  before: '0.0075',
  after: '0.01',
  food: '0.0075',
};
const TRANSIT: ReadonlyMap<string, typeof COOK> = new Map([
  ['031', COOK],
  ...['043', '089', '097', '111', '197'].map((county) => [county, COLLAR] as const),
]);

/** The Metro-East transit tax on food and drugs; its district has some of the townships of the county. */
const METRO_EAST: ReadonlyMap<string, string> = new Map([
  ['119', '0.0025'],
  ['163', '0.0075'],
]);

/** County rates whose first day the file shows, by the total of the county's places. */
const COUNTY_STARTS: ReadonlyMap<string, string> = new Map([['031', '2016-01-01']]);

/** County rates that changed, with the rate before. */
const COUNTY_CHANGES: ReadonlyMap<string, readonly [day: string, before: string, beforeFrom: string]> =
  new Map([
    ['055', ['2026-07-01', '0.02', '2019-07-01']],
    ['167', ['2026-07-01', '0.01', '2019-07-01']],
  ]);

/** Cities of which it is known whether they took over the grocery tax that the state gave up on 2026-01-01. */
const GROCERY_TAXES = [
  { city: 'Chicago', county: '031', rate: '0' },
  { city: 'Bloomington', county: '113', rate: '0.01' },
] as const;

const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

const transitRows = (): RateRow[] =>
  [...TRANSIT].flatMap(([county, { name, code, before, after, food }]) => {
    const row = { state: STATE, level: 'special', code, name, scope: 'county', counties: [county] } as const;
    const fromAuthority = { source: 'il-idor-mass', confidence: 'official-cited', seen: '' };
    const untilRise = { ...row, from: TRANSIT_SINCE, to: dayBefore(TRANSIT_RISE), ...fromAuthority };
    const rise = { ...row, from: TRANSIT_RISE, seen: COMPARED };
    return [
      { ...untilRise, rate: before },
      { ...rise, rate: after, source: 'il-2026-08', confidence: 'secondary-2' },
      ...(['food', 'drugs'] as const).flatMap((tax): RateRow[] => [
        { ...untilRise, tax, rate: food },
        {
          ...rise,
          tax,
          rate: food,
          source: 'il-idor-mass',
          confidence: 'weak',
          note: 'no source says whether the rise of August 2026 holds for food and drugs: the rate before it',
        },
      ]),
    ];
  });

const metroEastRows = (): RateRow[] =>
  [...METRO_EAST].flatMap(([county, rate]) =>
    (['food', 'drugs'] as const).map(
      (tax): RateRow => ({
        state: STATE,
        level: 'special',
        code: 'MED',
        name: 'Metro-East mass transit',
        tax,
        scope: 'county',
        counties: [county],
        rate,
        source: 'il-idor-mass',
        confidence: 'split',
        seen: '',
        note: 'in the townships of the district only',
      }),
    ),
  );

const groceryRows = (places: ReadonlyMap<string, string>): RateRow[] =>
  GROCERY_TAXES.flatMap(({ city, county, rate }) => {
    const code = places.get(`${county} ${city.toLowerCase()}`) ?? '';
    const row = {
      state: STATE,
      level: 'city',
      code,
      name: city,
      tax: 'food',
      scope: 'place',
      counties: [county],
      places: [city],
      rate,
      source: 'il-grocery-news',
      seen: '2025-09-26',
    } as const;
    return [
      { ...row, from: '2026-01-01', to: '2026-06-30', confidence: 'secondary' },
      {
        ...row,
        from: '2026-07-01',
        confidence: 'weak',
        note: 'ordinances of later than October 2025 were not seen',
      },
    ];
  });

/** The county rates in force on the day of the file, in units. */
const countyRates = (folder: string, countyCode: (name: string) => string): ReadonlyMap<string, number> =>
  new Map(
    readFacts(folder, 'local-rates.csv')
      .filter((fact) => field(fact, 'state') === STATE && field(fact, 'level') === 'county')
      .map((fact) => {
        const county = countyCode(field(fact, 'counties').replace(/ County$/, ''));
        return [county, unitsOf(COUNTY_CHANGES.get(county)?.[1] ?? field(fact, 'rate'))];
      }),
  );

/** What is left of a city's combined rate for the city itself. Negative where its county's row has a tax that it has not. */
const cityRows = (fact: Fact, county: string, code: string, countyRate: number): RateRow[] => {
  const rest = unitsOf(field(fact, 'rate')) - STATE_RATE - unitsOf(TRANSIT.get(county)?.before ?? '0');
  const city = field(fact, 'city');
  const row = {
    state: STATE,
    level: 'city',
    code,
    name: city,
    scope: 'place',
    counties: [county],
    places: [city],
    rate: rateText(rest < countyRate ? rest : rest - countyRate),
    from: field(fact, 'valid_from'),
    source: 'il-2026-01',
    confidence: 'official-cited',
    seen: FILE_DAY,
    note: rest < countyRate ? 'the whole local part' : '',
  } as const;
  const hasChanged = field(fact, 'note').startsWith('another change');
  if (!hasChanged) return [{ ...row, seen: COMPARED }];
  const changed = dayAfter(field(fact, 'valid_to'));
  const note = 'another rate holds since August 2026 at the latest, and it is not known: the rate before it';
  return [
    { ...row, to: field(fact, 'valid_to') },
    { ...row, from: changed, confidence: 'weak', note },
  ];
};

const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** A row of the general table that newer facts change: dated again, or left out. */
const corrected = (row: RateRow, known: ReadonlyMap<string, readonly RateRow[]>): RateRow[] => {
  const [county = ''] = row.counties;
  if (row.level === 'special') return [];
  if (row.level === 'county') {
    const places = known.get(county) ?? [];
    const exceptPlaces = places.filter(({ note }) => note === 'the whole local part').map(({ name }) => name);
    const now = { ...row, exceptPlaces, ...(TRANSIT.has(county) && { seen: COMPARED }) };
    const change = COUNTY_CHANGES.get(county);
    if (!change) return [{ ...now, from: COUNTY_STARTS.get(county) ?? row.from ?? '' }];
    const [day, rate, from] = change;
    return [
      { ...now, rate, from, to: dayBefore(day), source: 'il-2026-01', confidence: 'official-cited' },
      { ...now, from: day, source: 'il-2026-08', confidence: 'secondary-2', seen: COMPARED },
    ];
  }
  const [newer] = (known.get(county) ?? []).filter(({ code }) => code === row.code);
  if (!newer) return [row];
  // The rate before the file's begin day was seen only where it differs: Champaign's is known to be older.
  return newer.rate === row.rate || newer.from === undefined || newer.from < FILE_DAY
    ? []
    : [{ ...row, to: dayBefore(newer.from) }];
};

/** The local rates of Illinois: those of the general table as newer facts correct them, and those of single cities. */
export const deriveIllinois = (folder: string, general: readonly RateRow[]): RateRow[] => {
  const countyCode = countyFinder(folder, STATE);
  const places = placeCodes(folder, STATE);
  const rates = countyRates(folder, countyCode);
  const cities = localFacts(folder, 'local-rates-il-partial.csv')
    .filter((fact) => field(fact, 'rate') !== '')
    .flatMap((fact) => {
      const county = countyCode(field(fact, 'county'));
      const code = places.get(`${county} ${field(fact, 'city').toLowerCase()}`);
      return code === undefined ? [] : cityRows(fact, county, code, rates.get(county) ?? 0);
    });
  const byCounty = Map.groupBy(cities, ({ counties }) => counties[0] ?? '');
  return [
    ...general.flatMap((row) => corrected(row, byCounty)),
    ...cities,
    ...transitRows(),
    ...metroEastRows(),
    ...groceryRows(places),
  ];
};
