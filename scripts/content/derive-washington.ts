import { type Fact, field } from './fact-file.ts';
import { countyFinder, localFacts, placeCodes, type RateRow } from './rate-row.ts';

const STATE = 'WA';

/**
 * Counties whose unincorporated land lies on both sides of the border of a transit district, and the location in which
 * most of its people live; elsewhere the location of the whole county stands.
 */
const SPLIT_COUNTIES: ReadonlyMap<string, string> = new Map([
  ['Benton', '0300'],
  ['Clark', '0666'],
  ['Douglas', '0900'],
  ['Franklin', '1100'],
  ['King', '1700'],
  ['Okanogan', '2400'],
  ['Pierce', '2727'],
  ['Skagit', '2900'],
  ['Snohomish', '3131'],
  ['Spokane', '3232'],
  ['Thurston', '3400'],
]);

/** `KENT NON-RTA` is the part of a city outside the regional transit district: the other part has more people. */
const isOuterPart = (fact: Fact): boolean => / NON-RTA$/.test(field(fact, 'name'));

/** `CARNATION` without a city of its own in the table is the city of that name. */
const titleOf = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase();

/**
 * The rates of Washington by location and quarter: the whole local part of each, under the code of the location, as the
 * official files of the state have it. A location that only an address can tell apart is kept without an area.
 */
export const deriveWashington = (folder: string): RateRow[] => {
  const facts = localFacts(folder, 'local-rates-wa.csv');
  const countyCode = countyFinder(folder, STATE);
  const places = placeCodes(folder, STATE);
  const splitCities = new Set(
    facts
      .filter((fact) => isOuterPart(fact))
      .map((fact) => `${field(fact, 'county')} ${field(fact, 'city')}`),
  );
  return facts.map((fact) => {
    const [county, code] = [field(fact, 'county'), field(fact, 'jurisdiction_code')];
    const counties = [countyCode(county)];
    const base = {
      state: STATE,
      level: 'city',
      code,
      name: field(fact, 'name'),
      rate: field(fact, 'rate'),
      from: field(fact, 'valid_from'),
      to: field(fact, 'valid_to'),
      source: 'wa-dor-tables',
      seen: field(fact, 'as_of'),
      note: 'the whole local part',
    } as const;
    if ((SPLIT_COUNTIES.get(county) ?? `${code.slice(0, 2)}00`) === code) {
      const confidence = SPLIT_COUNTIES.has(county) ? 'split' : 'official-cited';
      return {
        ...base,
        name: `${county} County outside cities`,
        scope: 'unincorporated',
        counties,
        confidence,
      };
    }
    const city = field(fact, 'city') || titleOf(base.name);
    const isPlace =
      field(fact, 'jurisdiction_type') !== 'unincorporated' &&
      !isOuterPart(fact) &&
      places.has(`${counties[0]} ${city.toLowerCase()}`);
    if (!isPlace) return { ...base, scope: 'unmapped', counties, confidence: 'official-cited' };
    const confidence = splitCities.has(`${county} ${city}`) ? 'split' : 'official-cited';
    return { ...base, name: city, scope: 'place', counties, places: [city], confidence };
  });
};
