import { ContentRefusedError } from '../content/content-folder.ts';
import { localRatesAt } from '../content/local-rates.ts';
import { placeKey, placesNamed } from '../content/place-lookup.ts';
import { fileSource, inForce, type LocalRate, type Place, type TaxContent } from '../content/tax-content.ts';
import { type CalendarDate, calendarDate } from '../kernel/calendar.ts';
import { formatRate, type Rate, rate } from '../kernel/money.ts';
import {
  dayOf,
  type FilePeriod,
  newestOf,
  type OfficialFile,
  periodOfName,
  type Rows,
  rateOf,
} from './official-file.ts';
import { daysFromOn, type ParsedFile, type TextRow } from './parsed-file.ts';

/** Reads a table with titles. @throws {ContentRefusedError} when it is damaged or not complete */
type TableReader = (file: OfficialFile, lines: readonly TableLine[], content: TaxContent) => ParsedFile;

/** A row of a table: where it stands, and its trimmed cells by their titles. */
type TableLine = { readonly at: string; readonly cell: (title: string) => string };

/** Maximum number of rows above the titles. */
const ABOVE_MAX = 20;

/** Titles are compared without blanks and without what stands in parentheses. */
const titleKey = (title: string): string => title.replace(/\(.*$/, '').replace(/\s/g, '').toLowerCase();

/** Read a table of a state that is known by its titles; `undefined` for any other table. @throws {ContentRefusedError} */
export const readStateTable = (
  file: OfficialFile,
  rows: Rows,
  content: TaxContent,
): ParsedFile | undefined => {
  for (const [top, row] of rows.slice(0, ABOVE_MAX).entries()) {
    const titles = row.map(titleKey);
    const known = TABLES.find((table) => table.titles.every((title) => titles.includes(title)));
    if (!known) continue;
    const lines = rows.slice(top + 1).map((cells, index): TableLine => {
      const at = `${file.name}: row ${top + index + 2}`;
      if (cells.slice(titles.length).some((cell) => cell !== ''))
        throw new ContentRefusedError(at, `the line has ${cells.length} fields instead of ${titles.length}`);
      // Rows can end before cells that are empty.
      return { at, cell: (title) => cells[titles.indexOf(title)] ?? '' };
    });
    return known.read(file, lines, content);
  }
  return undefined;
};

/** What the readers of the files of a state look up in the content. */
export type StateAreas = {
  /** Return the three-digit code of a county by its name; `undefined` when the state has no such county. */
  readonly countyCode: (name: string) => string | undefined;
  /** Find a city by its name: in its county, if that is known. */
  readonly city: (name: string, county: string) => Place | undefined;
  readonly countyName: (code: string) => string | undefined;
  /** The general local rates of a city, or of the land outside of cities, on the first day of the file. */
  readonly known: (county: string, city: Place | undefined) => readonly LocalRate[];
  /** Take the rate of the state and some others off a total. @throws {ContentRefusedError} when it is less than these */
  readonly localPart: (total: Rate, at: string, others?: readonly LocalRate[]) => Rate;
};

/** The form in which names of counties are compared: `DE KALB CO` is DeKalb County. */
const countyKey = (name: string): string =>
  placeKey(name.replace(/\s+(?:county|co\.?)$/i, '')).replaceAll(' ', '');

export const areasOf = (content: TaxContent, state: string, on: CalendarDate): StateAreas => {
  const counties = [...content.counties].filter(([fips]) => content.countyStates.get(fips) === state);
  const codes = new Map(counties.map(([fips, name]) => [countyKey(name), fips.slice(2)]));
  const names = new Map(counties.map(([fips, name]) => [fips.slice(2), name]));
  const ofState = content.states.get(state);
  const stateRate = inForce(ofState?.rates ?? [], on)?.rate;
  return {
    countyCode: (name) => codes.get(countyKey(name)),
    countyName: (code) => names.get(code),
    city: (name, county) => {
      const named = placesNamed(content, state, name);
      const fitting = named.filter(({ counties }) => county === '' || counties.includes(county));
      return fitting.find(({ incorporated }) => incorporated) ?? fitting[0];
    },
    known: (county, city) => {
      if (!ofState) return [];
      const place = city && { ...city, counties: [county] };
      const rows = localRatesAt({ state: ofState, county, place, boundary: undefined }, on);
      return rows.filter(({ tax }) => tax === 'general');
    },
    localPart: (total, at, others = []) => {
      if (stateRate === undefined)
        throw new ContentRefusedError(at, `the content has no rate of ${state} on ${on}`);
      const local = total - stateRate - sumOf(others);
      if (local < 0)
        throw new ContentRefusedError(at, `the rate ${formatRate(total)} is lower than that of the state`);
      return rate(local);
    },
  };
};

export const sumOf = (rates: readonly { readonly rate: Rate }[]): number =>
  rates.reduce((total, each) => total + each.rate, 0);

/** The land of a county outside of cities, or a city, which the content may not have. */
type Area = {
  readonly name: string;
  readonly county: string;
  readonly city?: Place | undefined;
  readonly isLand: boolean;
};

/** Find the area of a line. Land is named after its county where the line has no other name of it. */
const areaOf = (
  areas: StateAreas,
  line: { readonly name: string; readonly county: string; readonly isLand: boolean },
): Area => ({ ...line, city: line.isLand ? undefined : areas.city(line.name, line.county) });

/** Where the tax of an area holds. It is not known of a city that the content does not have. */
const cellsOf = ({ county, city, isLand }: Area): TextRow => {
  const counties = county === '' ? (city?.counties ?? []) : [county];
  if (counties.length === 0 || !(isLand || city)) return rowCells({});
  return isLand
    ? rowCells({ scope: 'unincorporated', counties: county })
    : rowCells({ scope: 'place', counties: counties.join(' '), places: city?.name ?? '' });
};

const NOWHERE = { scope: 'unmapped', counties: '', places: '', except_places: '' };

/** The cells of a row that say where it holds; without any, the area is not known. */
export const rowCells = (cells: Partial<typeof NOWHERE>): TextRow => ({ ...NOWHERE, ...cells });

/** Build a row of a general local rate that begins on the first day of a file. */
export const fileRow = (state: string, { first }: FilePeriod, cells: TextRow): TextRow => ({
  state,
  tax: 'general',
  from: first,
  to: '',
  seen: first,
  source: fileSource(state),
  confidence: 'official-file',
  note: '',
  ...cells,
});

/** What a file of all general local rates of a state replaces, from its first day on. */
export const replacesAll =
  (state: string, { first }: FilePeriod): ParsedFile['replaces'] =>
  (row) =>
    row['state'] === state && row['tax'] === 'general' ? daysFromOn(first) : [];

const NAMES_MAX = 10;

/** Return a warning about areas, with the names of the first ones. */
const warningOf = (what: string, all: readonly string[], outcome: string): readonly string[] => {
  const names = [...new Set(all)];
  if (names.length === 0) return [];
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : '';
  return [`${what}: ${names.slice(0, NAMES_MAX).join(', ')}${more}. ${outcome}`];
};

export const unknownPlaces = (names: readonly string[]): readonly string[] =>
  warningOf('Places that the content does not have', names, 'Their taxes are kept, and not applied.');

const COUNTIES_OF_CALIFORNIA = 58;

/**
 * The city and county rates of California: a rate is that of the state, the county and all districts of its place
 * together. Districts of the content that come to the same stay as they are, tax by tax.
 */
const readCalifornia: TableReader = (file, lines, content) => {
  const period = periodOfName(file);
  const areas = areasOf(content, 'CA', calendarDate(period.first));
  const seen = new Set<string>();
  const counties = new Set<string>();
  const rated = lines.flatMap(({ at, cell }) => {
    const [name, type, text] = [cell('location'), cell('type'), cell('rate')];
    // A county that taxes its land outside of cities alone has a line without a rate.
    if (text === '' || cell('county') === 'County') return [];
    if (type !== 'City' && type !== 'County')
      throw new ContentRefusedError(at, `${type || 'an empty cell'} is not the type of an area`);
    const county = areas.countyCode(cell('county'));
    if (county === undefined) throw new ContentRefusedError(at, `${cell('county')} is not a county`);
    const key = `${type} ${name} ${county}`;
    if (seen.has(key)) throw new ContentRefusedError(at, `${name} stands there twice`);
    seen.add(key);
    counties.add(county);
    const area = areaOf(areas, { name, county, isLand: type === 'County' });
    const known = areas.known(county, area.city);
    const others = known.filter(({ level }) => level !== 'special');
    const local = areas.localPart(rateOf(text, 'fraction', at), at, others);
    return [{ area, local, isKnown: local === sumOf(known) - sumOf(others) }];
  });
  if (counties.size < COUNTIES_OF_CALIFORNIA)
    throw new ContentRefusedError(
      file.name,
      `it has ${counties.size} of ${COUNTIES_OF_CALIFORNIA} counties, the others are missing: it is not complete`,
    );
  const changed = withShared(
    content,
    rated.filter(({ isKnown }) => !isKnown).map(({ area }) => area.county),
  );
  const replaced = rated.filter(({ area }) => changed.has(area.county));
  const isChanged = (row: TextRow) => (row['counties'] ?? '').split(' ').some((code) => changed.has(code));
  return {
    kind: 'cdtfa',
    state: 'CA',
    period,
    rows: lines.length,
    stateRates: [],
    localRates: replaced.map(({ area, local }) =>
      fileRow('CA', period, {
        level: 'special',
        code: (area.isLand ? area.county : area.city?.fips) ?? area.name,
        name: `District taxes in ${(area.isLand ? areas.countyName(area.county) : area.city?.name) ?? area.name}`,
        ...cellsOf(area),
        rate: formatRate(local),
        source: 'cdtfa-rates',
        note: 'all districts of the place together, from the table of city and county rates',
      }),
    ),
    warnings: [
      ...unknownPlaces(
        replaced.flatMap(({ area }) => (area.isLand || area.city !== undefined ? [] : area.name)),
      ),
      ...(changed.size > 0 ? [`Districts of ${changed.size} counties became totals by place.`] : []),
    ],
    replaces: (row) => (row['level'] === 'special' && isChanged(row) ? replacesAll('CA', period)(row) : []),
    // The file has every place, and the rates that stay are a part of each.
    confirms: (row) => row['state'] === 'CA' && row['tax'] === 'general',
  };
};

/** Counties, and those with which they share a district of the content, which is replaced as a whole. */
const withShared = (content: TaxContent, first: readonly string[]): ReadonlySet<string> => {
  const counties = new Set(first);
  const districts = content.states.get('CA')?.localRates.filter((row) => row.level === 'special') ?? [];
  for (let before = -1; before !== counties.size; ) {
    before = counties.size;
    for (const district of districts)
      if (district.counties.some((county) => counties.has(county)))
        for (const county of district.counties) counties.add(county);
  }
  return counties;
};

/** The rates of Washington by location, a number of four digits that begins with that of its county. */
const readWashington: TableReader = (file, lines, content) => {
  const period = newestDay(
    file,
    lines.map(({ at, cell }) => dayOf(cell('effectivedate'), at)),
  );
  const areas = areasOf(content, 'WA', calendarDate(period.first));
  const unknown: string[] = [];
  const localRates = lines.flatMap(({ at, cell }) => {
    const [name, code] = [cell('name'), cell('code')];
    const rateIn = (title: string): Rate => rateOf(cell(title), 'fraction', at);
    if (!/^\d{4}$/.test(code))
      throw new ContentRefusedError(at, `${code || name} is not the code of an area`);
    const [local, transit] = [rateIn('local'), rateIn('rta')];
    if (areas.localPart(rateIn('state'), at) !== 0)
      throw new ContentRefusedError(at, 'the rate of WA is another one in the content');
    if (rateIn('state') + local + transit !== rateIn('rate'))
      throw new ContentRefusedError(at, `the parts of the rate of ${name} do not add up to ${cell('rate')}`);
    // Counties are numbered alphabetically, and the federal codes are the odd numbers in this order.
    const county = String(Number(code.slice(0, 2)) * 2 - 1).padStart(3, '0');
    const area = areaOf(areas, { name, county, isLand: /\bUNINC/i.test(name) });
    // A second location of a name lies inside or outside of a transit district: only an address can tell.
    const isUnplaced = /\(.*\)$/.test(name);
    if (!area.isLand && !area.city) unknown.push(name);
    const base = (area.isLand ? areas.countyName(county) : area.city?.name) ?? name;
    const cells = { code, ...(isUnplaced ? rowCells({}) : cellsOf(area)) };
    const own = {
      level: 'city',
      name: area.isLand ? `${base} outside cities` : base,
      rate: formatRate(local),
    };
    const regional = { level: 'special', name: `${base} regional transit`, rate: formatRate(transit) };
    return [own, ...(transit === 0 ? [] : [regional])].map((tax) =>
      fileRow('WA', period, { ...tax, ...cells }),
    );
  });
  return {
    kind: 'washington-rates',
    state: 'WA',
    period,
    rows: lines.length,
    stateRates: [],
    localRates,
    warnings: unknownPlaces(unknown),
    replaces: replacesAll('WA', period),
  };
};

/** The period of a file whose rates hold from the newest of some days on. @throws {ContentRefusedError} */
const newestDay = (file: OfficialFile, days: readonly string[]): FilePeriod => {
  const newest = newestOf(days);
  if (newest === '') throw new ContentRefusedError(file.name, 'the file has no rate');
  return { label: newest, first: newest, last: newest };
};

/** The characters of a line of the general rates of Illinois, and how it begins. */
const ILLINOIS_WIDTH = 211;
const ILLINOIS_LINE = /^\d{10}.{50}[YN ]\d{28}/;

export const isIllinois = (firstLine: string): boolean =>
  firstLine.length === ILLINOIS_WIDTH && ILLINOIS_LINE.test(firstLine);

/** Read the machine-readable general merchandise rates of Illinois. @throws {ContentRefusedError} when it is damaged */
export const readIllinois = (file: OfficialFile, all: readonly string[], content: TaxContent): ParsedFile => {
  const lines = all.flatMap((line, index) => {
    const at = `${file.name}:${index + 1}`;
    if (line.trim() === '') return [];
    if (line.length !== ILLINOIS_WIDTH)
      throw new ContentRefusedError(
        at,
        `the line has ${line.length} characters instead of ${ILLINOIS_WIDTH}`,
      );
    const cell = (from: number, to: number) => line.slice(from, to).trim();
    return [{ at, cell, from: dayOf(cell(61, 69), at) }];
  });
  const period = newestDay(
    file,
    lines.map(({ from }) => from),
  );
  const areas = areasOf(content, 'IL', calendarDate(period.first));
  const [carried, unknown]: [string[], string[]] = [[], []];
  const localRates = lines.map(({ at, cell }) => {
    const [name, named] = [cell(10, 35), cell(35, 60)];
    const county = areas.countyCode(named);
    if (county === undefined) throw new ContentRefusedError(at, `${named} is not a county`);
    const area = areaOf(areas, { name, county, isLand: /\bUNINC|\bCOUNTY\b/i.test(name) });
    if (!area.isLand && !area.city) unknown.push(name);
    // The rate of a street is not in the file: the one that the content knows is carried on.
    const isCarried = cell(60, 61) === 'Y';
    if (isCarried) carried.push(name);
    const local = isCarried
      ? sumOf(areas.known(county, area.city))
      : areas.localPart(rateOf(cell(69, 74), 'hundred-thousandths', at), at);
    return fileRow('IL', period, {
      level: area.isLand ? 'county' : 'city',
      code: cell(0, 10),
      name: (area.isLand ? areas.countyName(county) : area.city?.name) ?? name,
      ...cellsOf(area),
      rate: formatRate(rate(local)),
      confidence: isCarried ? 'secondary' : 'official-file',
      note: isCarried
        ? 'depends on the street address; the rate known before the file'
        : 'the whole local part',
    });
  });
  return {
    kind: 'illinois',
    state: 'IL',
    period,
    rows: lines.length,
    stateRates: [],
    localRates,
    warnings: [
      ...warningOf('The rate depends on the street', carried, 'The known rates were carried on.'),
      ...unknownPlaces(unknown),
    ],
    replaces: replacesAll('IL', period),
  };
};

const TABLES: readonly { readonly titles: readonly string[]; readonly read: TableReader }[] = [
  { titles: ['location', 'rate', 'county', 'type'], read: readCalifornia },
  { titles: ['name', 'code', 'state', 'local', 'rta', 'rate', 'effectivedate'], read: readWashington },
];
