import { readFileSync } from 'node:fs';
import { addDays, calendarDate } from '../../src/kernel/calendar.ts';
import { countyNamed, dayBefore } from '../../src/service/content/import/state-rows.ts';
import { placesNamed } from '../../src/service/content/place-lookup.ts';
import type { Place, TaxContent } from '../../src/service/content/tax-content.ts';
import { type Fact, field, readFacts } from './fact-file.ts';

/** How the local rates of a state add up, and when they change (`structures.tsv`). */
export type Structure = {
  readonly state: string;
  /** What a row of a city is: its own part, or a total from which the others are taken; empty where there is none. */
  readonly cities: string;
  /** Where a row of a county holds; empty where the rows are not taken. */
  readonly counties: string;
  readonly changes: string;
  /** The most that the law allows, of one row. */
  readonly most: number;
};

/** A rate as a source has it, on days of which the first and the last may be unknown. */
export type Claim = {
  readonly state: string;
  readonly level: 'county' | 'city';
  readonly code: string;
  readonly name: string;
  readonly counties: readonly string[];
  readonly scope: 'county' | 'unincorporated' | 'place';
  /** Whether the rate is a total, of which the county's and the districts' are taken. */
  readonly above: string;
  readonly rate: number;
  readonly from: string;
  readonly to: string;
  readonly seen: string;
  readonly source: string;
  readonly confidence: string;
};

/** What was left out, and why. */
export type LeftOut = { readonly state: string; readonly why: string; readonly what: string };
export type Claims = { readonly claims: readonly Claim[]; readonly leftOut: readonly LeftOut[] };

export const structures = (): readonly Structure[] =>
  readFileSync(new URL('structures.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [state = '', cities = '', counties = '', changes = '', most = ''] = line.split('\t');
      return { state, cities, counties, changes, most: Number(most || 1) };
    });

const TAXLOCUS = 'taxlocus';
export const CORRECTIONS = 'found-corrections';
const FIRST_SNAPSHOT = '2026-05-19';
const FOUND = 'local/found-2026';
/** The first day of the quarter of the Streamlined files of found-2026, and the day of the machine file of Illinois. */
const SEEN: Readonly<Record<string, string>> = { IA: '2025-07-01', IL: '2026-01-01' };
const STREAMLINED = '2026-07-01';
const CORRECTED = '2026-09-05';

/** The place or the county that a row is about. */
type Area = Pick<Claim, 'level' | 'code' | 'name' | 'counties' | 'scope'>;

const countyArea = (content: TaxContent, state: string, code: string, name: string): Area | undefined => {
  const found = /^\d{3}$/.test(code) ? code : countyNamed(content, state, name);
  const known = content.counties.get(`${content.stateFips.get(state)}${found}`);
  return found && known
    ? { level: 'county', code: found, name: known, counties: [found], scope: 'county' }
    : undefined;
};

const cityArea = (
  content: TaxContent,
  state: string,
  code: string,
  name: string,
  county: string,
): Area | undefined => {
  const byCode = /^\d{5}$/.test(code) ? content.placesByFips.get(`${state} ${code}`) : undefined;
  if (/^\d{5}$/.test(code) && !byCode) return undefined;
  const fitting = (byCode ? [byCode] : placesNamed(content, state, name)).filter(
    ({ counties }) => county === '' || counties.includes(county),
  );
  const place = fitting.find(({ incorporated }) => incorporated) ?? fitting[0];
  if (!place) return undefined;
  const counties = county === '' ? mainFirst(content, state, place) : [county];
  return { level: 'city', code: place.fips, name: place.name, counties, scope: 'place' };
};

/** The counties of a place, first the one in which most ZIPs of the place lie. */
const mainFirst = (content: TaxContent, state: string, { fips, counties }: Place): readonly string[] => {
  if (counties.length < 2) return counties;
  const zips = [...content.zips].map(([, zip]) => zip).filter(({ place }) => place === fips);
  const weight = (county: string) =>
    zips.filter((zip) => zip.counties[0] === `${content.stateFips.get(state)}${county}`).length;
  return counties.toSorted((one, other) => weight(other) - weight(one));
};

/** The area of a location code that the content has already. */
const locationArea = (content: TaxContent, state: string, code: string): Area | undefined => {
  const row = content.states
    .get(state)
    ?.localRates.find((each) => each.level === 'city' && each.code === code);
  return row && { level: 'city', code, name: row.name, counties: row.counties, scope: 'place' };
};

const REMAINDER = /^Remainder of County\s*-\s*/i;
const WHOLE_COUNTY = / City and County$/i;
/** A county behind the name of a municipality, or the star of New Mexico for areas that are not Indian land. */
const ADDITION = /\s*(?:\(([^)]+)\)|\*)$/;
/** An addition that names no other area. */
const SAME = /^(?:city|mail via .*)$/i;
const NOT_A_CITY =
  /unincorporated|sales|unabat|abated|\bpj\b|police|metropolitan district|tidd?\b|\btif\b|sanitation|\(d\)|airport/i;

const areaOf = (content: TaxContent, fact: Fact, structure: Structure): Area | string => {
  const { state } = structure;
  const [type, name, code] = [
    field(fact, 'jurisdiction_type'),
    field(fact, 'name'),
    field(fact, 'fips_code'),
  ];
  const isLocation = /^\d{2}-\d{3}$/.test(code);
  if (type === 'county') {
    if (structure.counties === '') return 'counties are not taken from this source';
    return countyArea(content, state, code, name) ?? 'not a county of the content';
  }
  if (isLocation && REMAINDER.test(name)) {
    const county = countyArea(content, state, '', name.replace(REMAINDER, ''));
    return county
      ? { ...county, code, name: `${county.name} outside cities`, scope: 'unincorporated' }
      : 'not a county of the content';
  }
  if (isLocation && WHOLE_COUNTY.test(name))
    return countyArea(content, state, '', name.replace(WHOLE_COUNTY, '')) ?? 'not a county of the content';
  if (type !== 'city' && !isLocation) return 'a district whose area is not known';
  if (structure.cities === '') return 'cities have no tax of their own';
  if (NOT_A_CITY.test(name)) return 'an area by its name: not a city, or a part of one';
  const addition = ADDITION.exec(name);
  const county = addition?.[1] && !SAME.test(addition[1]) ? countyNamed(content, state, addition[1]) : '';
  if (county === undefined) return 'an area by its name: not a city, or a part of one';
  return (
    cityArea(content, state, isLocation ? '' : code, name.replace(ADDITION, ''), county) ??
    'not a place of the content'
  );
};

/** Days from the begin of a quarter or a month to the first weekly snapshot of it. */
const FIRST_DAYS = 8;

/** The first day of a change that a weekly snapshot showed: of its quarter or month where the law allows no other day. */
const dayOfChange = (seen: string, { changes }: Structure): string => {
  const month = Number(seen.slice(5, 7));
  const begins = changes === 'quarter' ? month - ((month - 1) % 3) : month;
  const first = `${seen.slice(0, 4)}-${String(begins).padStart(2, '0')}-01`;
  return changes !== 'seen' && addDays(calendarDate(first), FIRST_DAYS) > seen ? first : seen;
};

const keyOf = (fact: Fact): string =>
  [
    field(fact, 'state'),
    field(fact, 'jurisdiction_type'),
    field(fact, 'name'),
    field(fact, 'fips_code'),
  ].join('|');

type Dated = Pick<Claim, 'rate' | 'from' | 'to' | 'seen'> & Partial<Pick<Claim, 'confidence'>>;

/**
 * TaxLocus rounds to five places. Rates of New Mexico are sums of sixteenths, forty-eighths and eightieths of a percent,
 * which the department prints with four.
 */
const exactLocation = (rate: number): number => {
  const near = [4_800, 8_000].map((parts) => Math.round(rate * parts) / parts);
  const exact = near.find((each) => Math.abs(each - rate) <= 0.000_005_1) ?? rate;
  return Math.round(exact * 1_000_000) / 1_000_000;
};

/** The rates of a row over time: the one of before a change up to it, and the one of after it. */
const datedRates = (
  now: string | undefined,
  changes: readonly Fact[],
  structure: Structure,
): readonly Dated[] => {
  const rates: Dated[] = [];
  let open = { from: '', seen: FIRST_SNAPSHOT };
  for (const change of changes) {
    const [before, after] = [field(change, 'rate_before'), field(change, 'rate_after')];
    const seen = field(change, 'seen');
    const day = dayOfChange(seen, structure);
    if (before !== '') rates.push({ ...open, rate: Number(before), to: dayBefore(day) });
    // A row that a snapshot has for the first time is new where changes have days; else it may have been missed before.
    open = { from: before !== '' || structure.changes === 'quarter' ? day : '', seen };
    // A row that is gone is a tax that ended, or one that the source missed where its table has no days: both are flagged.
    const rate = structure.changes === 'quarter' ? 0 : Number(before);
    if (after === '') return [...rates, { ...open, from: day, rate, to: '', confidence: 'weak' }];
  }
  return now === undefined ? rates : [...rates, { ...open, rate: Number(now), to: '' }];
};

/** The claims of TaxLocus about the states of the structures. */
export const taxlocusClaims = (folder: string, content: TaxContent): Claims => {
  const changes = Map.groupBy(
    readFacts(folder, 'local/taxlocus/changes-2026-05-19-to-2026-08-18.csv'),
    keyOf,
  );
  const facts = Map.groupBy(readFacts(folder, 'local/taxlocus/jurisdiction_rates.csv'), keyOf);
  const claims: Claim[] = [];
  const leftOut: LeftOut[] = [];
  const twice = new Map<string, number>();
  for (const structure of structures()) {
    const { state, cities, most } = structure;
    const all = new Map([...changes, ...facts].filter(([key]) => key.startsWith(`${state}|`)));
    for (const key of all.keys()) {
      const now = facts.get(key) ?? [];
      const fact = now[0] ?? changes.get(key)?.[0] ?? {};
      const area = areaOf(content, fact, structure);
      const refuse = (why: string): void => void leftOut.push({ state, why, what: field(fact, 'name') });
      if (typeof area === 'string') {
        refuse(area);
        continue;
      }
      const id = [state, area.level, area.code, area.counties.join(' ')].join('|');
      const rates = datedRates(now[0]?.['rate'], changes.get(key) ?? [], structure);
      if (new Set(now.map((each) => field(each, 'rate'))).size > 1) refuse('twice with different rates');
      else if (rates.every(({ rate }) => rate === 0) && area.level === 'city') refuse('a rate of zero');
      else if (rates.some(({ rate }) => rate > most)) refuse('above what the law allows');
      else if (twice.has(id))
        refuse(
          twice.get(id) === rates.at(-1)?.rate ? 'twice with the same rate' : 'twice with different rates',
        );
      else {
        const above = area.level === 'city' ? cities : '';
        for (const { rate, ...dated } of rates)
          claims.push({
            ...area,
            confidence: 'secondary',
            ...dated,
            rate: state === 'NM' ? exactLocation(rate) : rate,
            state,
            above,
            source: TAXLOCUS,
          });
      }
      twice.set(id, rates.at(-1)?.rate ?? 0);
    }
  }
  return { claims, leftOut };
};

/** The official rates of found-2026, and its corrections; a row that is official of another day or by default alone is secondary. */
export const foundClaims = (folder: string, content: TaxContent): Claims => {
  const claims: Claim[] = [];
  const leftOut: LeftOut[] = [];
  for (const { state, cities } of structures().filter(({ state }) => FOUND_STATES.has(state)))
    for (const fact of readFacts(folder, `${FOUND}/local-rates-${state}.csv`)) {
      const [level, name, note] = [field(fact, 'level'), field(fact, 'name'), field(fact, 'note')];
      const refuse = (why: string): void => void leftOut.push({ state, why, what: name });
      const county = field(fact, 'county');
      const inCounty = county === '' ? '' : (countyNamed(content, state, county) ?? '');
      const area =
        level === 'zip'
          ? undefined
          : level === 'county'
            ? countyArea(content, state, '', name)
            : cityArea(content, state, '', name, inCounty);
      if (level === 'zip') refuse('by ZIP: the highest of its places, used as a check');
      else if (!area) refuse('not a place of the content');
      else if (/DISPUTED|unknown/.test(note)) refuse('disputed by the source itself');
      else {
        const isOfficial = !/secondary|NOT read|in force in 2023/.test(note);
        claims.push({
          ...area,
          state,
          above: field(fact, 'basis') === 'local-total' || state === 'IL' ? cities : '',
          rate: Number(field(fact, 'rate')),
          from: field(fact, 'from'),
          // Illinois: what rises on 2026-08-01 is the transit tax, not the part of the city.
          to: state === 'IL' ? '' : field(fact, 'to'),
          seen: note.includes('2023') ? '2023-10-01' : (SEEN[state] ?? STREAMLINED),
          source: `found-${state.toLowerCase()}`,
          confidence: isOfficial ? 'official-cited' : 'secondary',
        });
      }
    }
  for (const fact of readFacts(folder, `${FOUND}/corrections-2026.csv`)) {
    const [state, level, name] = [field(fact, 'state'), field(fact, 'level'), field(fact, 'name')];
    const area =
      level === 'county'
        ? countyArea(content, state, '', name)
        : level === 'city'
          ? cityArea(content, state, '', name, '')
          : locationArea(content, state, field(fact, 'code'));
    if (!area)
      leftOut.push({ state, why: 'a correction of a row that the content does not have', what: name });
    else
      claims.push({
        ...area,
        state,
        above: '',
        rate: Number(field(fact, 'rate')),
        from: field(fact, 'from'),
        to: field(fact, 'to'),
        seen: CORRECTED,
        source: CORRECTIONS,
        confidence: 'official-cited',
      });
  }
  return { claims, leftOut };
};

const FOUND_STATES: ReadonlySet<string> = new Set(['AR', 'IA', 'IL', 'KS', 'NE', 'OK', 'SD', 'UT', 'WY']);
