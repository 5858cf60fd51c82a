import { formatRate, type Rate } from '../../../kernel/money.ts';
import { fileSource } from '../dated.ts';
import type { TaxContent } from '../tax-content.ts';
import { type AreaLine, countyKey, type Part } from './area-lines.ts';
import type { Layout } from './layout.ts';
import type { TextRow } from './table-rows.ts';

/** What rows are made with. */
export type RowFrame = {
  readonly layout: Layout;
  readonly content: TaxContent;
  /** The days of a row, and the day on which the file shows it. */
  readonly daysOf: (area: AreaLine) => Readonly<Record<'from' | 'to' | 'seen', string>>;
};

/** Where a row holds; without counties it is not known. */
type AreaCells = Partial<Readonly<Record<'scope' | 'counties' | 'places' | 'except_places', string>>>;

const rowOf = (frame: RowFrame, area: AreaLine, part: Part, cells: AreaCells): TextRow => ({
  state: frame.layout.state,
  level: part.level,
  ...labelOf(frame, area, part),
  tax: frame.layout.tax ?? 'general',
  scope: 'unmapped',
  counties: '',
  places: '',
  except_places: '',
  rate: formatRate(part.rate),
  ...frame.daysOf(area),
  source: frame.layout.source ?? fileSource(frame.layout.state),
  confidence: area.isCarried ? 'secondary' : 'official-file',
  note: area.isCarried
    ? 'depends on the street address; the rate known before the file'
    : (frame.layout.note ?? ''),
  ...cells,
});

/** The code of a tax, and its name: that of the content where it has the area, so that it stays from file to file. */
const labelOf = (
  frame: RowFrame,
  { is, city, code, name }: AreaLine,
  part: Part,
): { readonly code: string; readonly name: string } => {
  const ofCounty = is === 'outside' || (part.level === 'county' && is !== 'inside');
  const county = ofCounty ? countyName(frame, part.county) : undefined;
  const area = county === undefined ? (city?.name ?? name) : county;
  const words = [frame.layout.called, area, part.called].filter((word) => word !== undefined);
  return {
    code: part.code || (county === undefined ? city?.fips : part.county) || code || name,
    name: part.name || (ofCounty && part.level === 'city' ? `${area} outside cities` : words.join(' ')),
  };
};

const countyName = ({ layout, content }: RowFrame, county: string): string | undefined =>
  content.counties.get(`${content.stateFips.get(layout.state)}${county}`);

/** The rows of lines that each speak for themselves: every tax of a line holds in its area. */
export const rowsApart = (frame: RowFrame, areas: readonly AreaLine[]): readonly TextRow[] => {
  // Where a county has a line for the inside of its cities, the plain line holds outside of them.
  const divided = new Set(areas.filter(({ is }) => is === 'inside').map(({ county }) => county));
  return areas.flatMap((area) => {
    const scope = area.is === 'outside' || divided.has(area.county) ? 'unincorporated' : 'county';
    const cells = cellsOf(frame, area, scope);
    return area.parts.map((part) => rowOf(frame, area, part, cells));
  });
};

const cellsOf = (
  { layout, content }: RowFrame,
  { is, counties, city }: AreaLine,
  scope: string,
): AreaCells => {
  if (counties.length === 0 || is === 'unplaced') return {};
  if (is === 'city') return city ? placeCells([city.name], counties) : {};
  if (is !== 'inside') return { scope, counties: counties.join(' ') };
  const cities = content
    .placesOf(layout.state)
    .filter((place) => place.incorporated && place.counties.some((county) => counties.includes(county)));
  return placeCells(
    cities.map(({ name }) => name),
    counties,
  );
};

const placeCells = (places: readonly string[], counties: readonly string[]): AreaCells => ({
  scope: 'place',
  counties: [...new Set(counties)].join(' '),
  places: [...new Set(places)].join(';'),
});

/**
 * The rows of lines of which each has all taxes of an area. A tax holds in a whole county where the land outside of the
 * cities has it, except in the cities that do not, and else in the cities that have it. Where no line is of that land,
 * the county's tax is the one that most cities have.
 */
export const rowsTogether = (frame: RowFrame, lines: readonly AreaLine[]): readonly TextRow[] => {
  const areas = [...Map.groupBy(lines, areaKey).values()].map((group) => joined(frame, group));
  const taxes = areas.flatMap((area) => area.parts.map((part) => ({ area, part })));
  const rows = taxes.flatMap(({ area, part }) =>
    part.level === 'city' ? [rowOf(frame, area, part, cellsOf(frame, area, ''))] : [],
  );
  const shared = Map.groupBy(
    taxes.filter(({ part }) => part.level !== 'city'),
    ({ part }) => taxKey(part),
  );
  for (const tax of shared.values()) {
    const rates = byUse(tax, ({ part }) => part.rate);
    rows.push(...rates.flatMap((having, index) => sharedRows(frame, areas, having, index === 0)));
  }
  if (frame.layout.together === 'most lines') return rows;
  // A district that only parts of areas have is kept: a boundary file may tell where it holds.
  const apart = lines.flatMap((area) => area.parts.map((part) => [taxKey(part), { area, part }] as const));
  const districts = new Map(apart.filter(([key, { part }]) => part.level === 'special' && !shared.has(key)));
  return [...rows, ...[...districts.values()].map(({ area, part }) => rowOf(frame, area, part, {}))];
};

const taxKey = ({ level, code, county }: Part): string => `${level} ${code || county}`;

/** What a tax and an area have to do with each other. */
type Having = { readonly area: AreaLine; readonly part: Part };

/** The rows of a tax at one rate. */
const sharedRows = (
  frame: RowFrame,
  areas: readonly AreaLine[],
  having: readonly Having[],
  isUsual: boolean,
): readonly TextRow[] => {
  const [first] = having;
  if (!first) return [];
  const { area, part } = first;
  const has = new Set(having.map((each) => each.area));
  const land = areas.filter(({ is }) => is !== 'city');
  const ofCounty = part.level === 'county' ? [part.county] : undefined;
  const whole = new Set(land.filter((each) => has.has(each)).flatMap(({ counties }) => counties));
  const isWithoutLand =
    ofCounty && isUsual && part.county !== '' && !land.some(({ county }) => county === part.county);
  if (isWithoutLand) whole.add(part.county);
  const rows = [...whole].map((county) => {
    const without = areas.filter((each) => each.counties.includes(county) && !has.has(each));
    const except_places = without.flatMap(({ city }) => city?.name ?? []).join(';');
    return rowOf(frame, area, part, { scope: 'county', counties: county, except_places });
  });
  const cities = having.flatMap(({ area: { city, counties } }) => {
    const left = counties.filter((county) => !whole.has(county) && (ofCounty?.includes(county) ?? true));
    return city && left.length > 0 ? [{ name: city.name, counties: left }] : [];
  });
  const cells = placeCells(
    cities.map(({ name }) => name),
    cities.flatMap(({ counties }) => counties),
  );
  if (cities.length > 0) rows.push(rowOf(frame, area, part, cells));
  return rows.length > 0 ? rows : [rowOf(frame, area, part, {})];
};

/** What the lines of one city share, or those of the land outside of the cities of one county. */
export const areaKey = ({ is, parts, county, name }: AreaLine): string => {
  if (is !== 'city') return county === '' ? name : `land ${county}`;
  return parts.find(({ level }) => level === 'city')?.code || `${county} ${name}`;
};

/**
 * Put the lines of an area together: the usual rate of each tax, and a district if enough of the lines have it at one
 * rate. Of land outside of cities, the lines that are named after the county count, if there are such.
 */
const joined = (frame: RowFrame, all: readonly AreaLine[]): AreaLine => {
  const named = all.filter(
    ({ is, name, county }) => is !== 'city' && countyKey(name) === countyKey(countyName(frame, county) ?? ''),
  );
  const lines = named.length > 0 ? named : all;
  const [first] = lines as [AreaLine];
  const least = frame.layout.together === 'all lines' ? lines.length : lines.length / 2 + 0.5;
  const taxes = Map.groupBy(
    lines.flatMap(({ parts }) => parts),
    ({ level, code, county }) => `${level} ${level === 'county' ? county : ''} ${code}`,
  );
  const parts = [...taxes.values()].flatMap((same) => {
    const usual = byUse(same, ({ rate }) => rate)[0] ?? [];
    return usual[0] && (usual[0].level !== 'special' || usual.length >= least) ? [usual[0]] : [];
  });
  return { ...first, parts, counties: [...new Set(lines.flatMap(({ counties }) => counties))] };
};

/** Group things by their rates, the rate of most of them first. */
const byUse = <Thing>(things: readonly Thing[], rateOf: (thing: Thing) => Rate): readonly Thing[][] =>
  [...Map.groupBy(things, rateOf).values()].toSorted((left, right) => right.length - left.length);
