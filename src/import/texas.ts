import { ContentRefusedError } from '../content/content-folder.ts';
import { placeKey } from '../content/place-lookup.ts';
import type { Place, TaxContent } from '../content/tax-content.ts';
import { calendarDate } from '../kernel/calendar.ts';
import { formatRate, type Rate, rate } from '../kernel/money.ts';
import { type FilePeriod, type OfficialFile, quarterOf, rateOf } from './official-file.ts';
import type { ParsedFile, TextRow } from './parsed-file.ts';
import {
  areasOf,
  fileRow,
  replacesAll,
  rowCells,
  type StateAreas,
  sumOf,
  unknownPlaces,
} from './state-files.ts';

/** The first line of the local rates of Texas: their quarter, and how many lines of areas follow. */
const FIRST_LINE = /^1\t(\d{4})(\d)\t[^\t]*\t[^\t]*\t0?\.\d+\t[^\t]*\t(\d+)\t/;
/** Lines with the days on which returns are due begin with their period. */
const DUE_LINE = /^\d{5}\t/;
const CELLS = 12;
const NONE = /^(n\/a)?$/;
/** All local taxes of a place together come to 2 % at most. */
const LOCAL_MAX = rate(200_000);

export const isTexas = (firstLine: string): boolean => FIRST_LINE.test(firstLine);

/** One tax of an area, with the three-digit code of the county of its line; empty when that names none. */
type Tax = {
  readonly level: 'county' | 'city' | 'special';
  readonly name: string;
  readonly code: string;
  readonly rate: Rate;
  readonly county: string;
};

/** A city, or the land outside of cities, with all of its local taxes. */
type Area = {
  readonly name: string;
  readonly county: string;
  readonly isCity: boolean;
  /** The city, if the content has it. */
  readonly city: Place | undefined;
  readonly counties: readonly string[];
  readonly taxes: readonly Tax[];
};

/** Where the name, the code and the rate of each tax of a line are. */
const TAXES = [
  ['city', 0],
  ['county', 3],
  ['special', 6],
  ['special', 9],
] as const;

/**
 * Read the local rates of Texas: a line has a city or an area, its county, its transit and its special district.
 *
 * @throws {ContentRefusedError} when the file is damaged or cut off
 */
export const readTexas = (file: OfficialFile, all: readonly string[], content: TaxContent): ParsedFile => {
  const [, year, quarter, announced] = FIRST_LINE.exec(all.find((line) => line.trim() !== '') ?? '') ?? [];
  const period = quarterOf(Number(year), Number(quarter));
  if (!period) throw new ContentRefusedError(file.name, `${year}${quarter} is not a quarter`);
  const areas = areasOf(content, 'TX', calendarDate(period.first));
  const lines = all.flatMap((line, index) =>
    line.trim() === '' || FIRST_LINE.test(line) || DUE_LINE.test(line)
      ? []
      : [areaOfLine(line, `${file.name}:${index + 1}`, areas)],
  );
  if (lines.length !== Number(announced))
    throw new ContentRefusedError(
      file.name,
      `the file announces ${announced} rows and has ${lines.length}: it is cut off`,
    );
  return {
    kind: 'texas',
    state: 'TX',
    period,
    rows: lines.length,
    stateRates: [],
    localRates: rowsTogether(period, areas, lines),
    warnings: unknownPlaces(lines.flatMap(({ isCity, city, name }) => (isCity && !city ? name : []))),
    replaces: replacesAll('TX', period),
  };
};

const areaOfLine = (line: string, at: string, areas: StateAreas): Area => {
  const cells = line.split('\t').map((cell) => cell.trim());
  if (cells.length < CELLS || cells.slice(CELLS).some((cell) => cell !== ''))
    throw new ContentRefusedError(at, `the line has ${cells.length} fields instead of ${CELLS}`);
  const cell = (index: number): string => cells[index] ?? '';
  const name = cell(0);
  const isCity = !NONE.test(name);
  const ofCounty = areas.countyCode(cell(3));
  if (!NONE.test(cell(3)) && ofCounty === undefined)
    throw new ContentRefusedError(at, `${cell(3)} is not a county`);
  const county = ofCounty ?? '';
  const taxes = TAXES.flatMap(([level, first]): readonly Tax[] => {
    if (NONE.test(cell(first))) return [];
    const own = rateOf(cell(first + 2), 'fraction', at);
    return [{ level, name: cell(first), code: cell(first + 1), rate: own, county }];
  });
  if (sumOf(taxes) > LOCAL_MAX)
    throw new ContentRefusedError(at, `the local rates add up to more than ${formatRate(LOCAL_MAX)}`);
  const city = isCity ? areas.city(name, county) : undefined;
  return { name, county, isCity, city, counties: county === '' ? (city?.counties ?? []) : [county], taxes };
};

/**
 * The rows of lines of which each has all taxes of an area. A tax holds in a whole county where the land outside of the
 * cities has it, except in the cities that do not, and else in the cities that have it. Where no line is of that land,
 * the county's tax is the one that most cities have.
 */
const rowsTogether = (
  period: FilePeriod,
  { countyName }: StateAreas,
  lines: readonly Area[],
): readonly TextRow[] => {
  const rowOf = ({ level, name, code, rate: own }: Tax, cells: TextRow): TextRow =>
    fileRow('TX', period, { level, name, code, rate: formatRate(own), ...cells });
  const isCountysLand = ({ name, county }: Area) => placeKey(name) === placeKey(countyName(county) ?? '');
  const groups = Map.groupBy(lines, areaKey).values();
  const areas = [...groups].map((group) => joined(group, isCountysLand));
  const all = areas.flatMap((area) => area.taxes.map((tax) => ({ area, tax })));
  const shared = Map.groupBy(
    all.filter(({ tax }) => tax.level !== 'city'),
    ({ tax }) => taxKey(tax),
  );
  // A district that only parts of areas have is kept: a boundary file may tell where it holds.
  const apart = new Map(
    lines
      .flatMap(({ taxes }) => taxes)
      .filter((tax) => tax.level === 'special' && !shared.has(taxKey(tax)))
      .map((tax) => [taxKey(tax), tax]),
  );
  return [
    ...all
      .filter(({ tax }) => tax.level === 'city')
      .map(({ area: { city, counties }, tax }) =>
        rowOf(tax, city && counties.length > 0 ? placeCells([city.name], counties) : rowCells({})),
      ),
    ...[...shared.values()].flatMap((having) =>
      byUse(having, ({ tax }) => tax.rate).flatMap((same, index) => {
        const [{ tax }] = same as [Having];
        return cellsOfShared(areas, same, index === 0).map((cells) => rowOf(tax, cells));
      }),
    ),
    ...[...apart.values()].map((tax) => rowOf(tax, rowCells({}))),
  ];
};

const placeCells = (places: readonly string[], counties: readonly string[]): TextRow =>
  rowCells({
    scope: 'place',
    counties: [...new Set(counties)].join(' '),
    places: [...new Set(places)].join(';'),
  });

const taxKey = ({ level, code, county }: Tax): string => `${level} ${code || county}`;

/** An area, and a tax that it has. */
type Having = { readonly area: Area; readonly tax: Tax };

/** Where a tax of counties or districts holds at one rate. */
const cellsOfShared = (
  areas: readonly Area[],
  having: readonly Having[],
  isUsual: boolean,
): readonly TextRow[] => {
  const [{ tax }] = having as [Having];
  const has = new Set(having.map(({ area }) => area));
  const land = areas.filter(({ isCity }) => !isCity);
  const whole = new Set(land.filter((area) => has.has(area)).flatMap(({ counties }) => counties));
  const isOfCounty = tax.level === 'county';
  const isWithoutLand = isOfCounty && tax.county !== '' && !land.some(({ county }) => county === tax.county);
  if (isUsual && isWithoutLand) whole.add(tax.county);
  const cells = [...whole].map((county) => {
    const without = areas.filter((area) => area.counties.includes(county) && !has.has(area));
    const except_places = without.flatMap(({ city }) => city?.name ?? []).join(';');
    return rowCells({ scope: 'county', counties: county, except_places });
  });
  const cities = having.flatMap(({ area: { city, counties } }) => {
    const left = counties.filter((county) => !whole.has(county) && (!isOfCounty || county === tax.county));
    return city && left.length > 0 ? [{ name: city.name, counties: left }] : [];
  });
  const names = cities.map(({ name }) => name);
  if (cities.length > 0)
    cells.push(
      placeCells(
        names,
        cities.flatMap(({ counties }) => counties),
      ),
    );
  return cells.length > 0 ? cells : [rowCells({})];
};

/** What the lines of one city share, or those of the land outside of the cities of one county. */
const areaKey = ({ isCity, taxes, county, name }: Area): string => {
  if (!isCity) return county === '' ? name : `land ${county}`;
  return taxes.find(({ level }) => level === 'city')?.code || `${county} ${name}`;
};

/**
 * Put the lines of an area together: the usual rate of each tax, and a district if all lines have it at one rate. Of land
 * outside of cities, the lines that are named after the county count, if there are such.
 */
const joined = (all: readonly Area[], isCountysLand: (area: Area) => boolean): Area => {
  const named = all.filter((area) => !area.isCity && isCountysLand(area));
  const lines = named.length > 0 ? named : all;
  const [first] = lines as [Area];
  const groups = Map.groupBy(
    lines.flatMap(({ taxes }) => taxes),
    ({ level, code, county }) => `${level} ${level === 'county' ? county : ''} ${code}`,
  );
  const taxes = [...groups.values()].flatMap((same) => {
    const usual = byUse(same, (tax) => tax.rate)[0] ?? [];
    return usual[0] && (usual[0].level !== 'special' || usual.length === lines.length) ? [usual[0]] : [];
  });
  return { ...first, taxes, counties: [...new Set(lines.flatMap(({ counties }) => counties))] };
};

/** Group things by their rates, the rate of most of them first. */
const byUse = <Thing>(things: readonly Thing[], rateIn: (thing: Thing) => Rate): readonly Thing[][] =>
  [...Map.groupBy(things, rateIn).values()].toSorted((left, right) => right.length - left.length);
