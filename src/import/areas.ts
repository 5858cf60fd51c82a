import { ContentRefusedError } from '../content/content-folder.ts';
import { localRatesAt } from '../content/local-rates.ts';
import { placeKey, placesNamed } from '../content/place-lookup.ts';
import { fileSource, inForce, type LocalRate, type Place, type TaxContent } from '../content/tax-content.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { formatRate, RATE_ONE, type Rate, rate } from '../kernel/money.ts';
import type { AreaRule, Column, Layout, Match } from './layouts.ts';
import { rateOf } from './official-file.ts';
import type { TextRow } from './parsed-file.ts';

/** A line of a file in some layout. */
export type FileLine = {
  /** The name of the file and the number of the line. */
  readonly at: string;
  /** Return the trimmed text of a cell. @throws {ContentRefusedError} when the line is cut off before it */
  readonly cell: (column: Column) => string;
};

/** @param titles the titles of a table, whose rows can end before cells that are empty; otherwise the number of cells */
export const lineOf = (
  at: string,
  cells: readonly string[],
  titles: readonly string[] | number,
): FileLine => ({
  at,
  cell: (column) => {
    const count = typeof titles === 'number' ? titles : titles.length;
    const isLong = cells.slice(count).some((cell) => cell !== '');
    if (isLong || (cells.length < count && typeof titles === 'number'))
      throw new ContentRefusedError(at, `the line has ${cells.length} fields instead of ${count}`);
    const index = typeof column === 'number' || typeof titles === 'number' ? column : titles.indexOf(column);
    return cells[Number(index)] ?? '';
  },
});

/** Whether the cells of a line have these patterns. */
const matches = (line: FileLine, layout: Layout, patterns: Match = {}): boolean =>
  Object.entries(patterns).every(([name, pattern]) => pattern.test(cellOf(line, layout, name)));

/** One tax of an area. */
export type Part = {
  readonly level: 'county' | 'city' | 'special';
  /** Empty when the file has no code of it that rows take. */
  readonly code: string;
  /** Empty when the tax has no name but that of its area; `called` stands behind that. */
  readonly name: string;
  readonly called?: string | undefined;
  /** Three-digit code of the county of its line; empty when that names none, or one that the content does not have. */
  readonly county: string;
  readonly rate: Rate;
};

/** An area with its local taxes, as one line of a file has them. */
export type AreaLine = {
  readonly line: FileLine;
  readonly is: AreaRule['is'];
  readonly code: string;
  readonly name: string;
  readonly county: string;
  /** The city, if the content has it, and the counties of the area. */
  readonly city: Place | undefined;
  readonly counties: readonly string[];
  readonly parts: readonly Part[];
  /** Whether the rate is the one that the content knows, because that of the file depends on the street. */
  readonly isCarried: boolean;
  /** Whether the content has rates that come to the same. */
  readonly isKnown: boolean;
};

/** Returns a reader of lines: what area a line is about, and its local taxes on the first day of the file. */
export const areaReader = (
  layout: Layout,
  content: TaxContent,
  on: CalendarDate,
): ((line: FileLine) => AreaLine) => {
  const { state } = layout;
  const ofState = content.states.get(state);
  const stateRate = inForce(ofState?.rates ?? [], on)?.rate;
  const countyOf = countyFinder(layout, content);

  const knownAt = (county: string, city: Place | undefined): readonly LocalRate[] => {
    if (!ofState) return [];
    const place = city && { ...city, counties: [county] };
    const rows = localRatesAt({ state: ofState, county, place, boundary: undefined }, on);
    return rows.filter(({ tax }) => tax === 'general');
  };

  /** The local part of a rate that includes that of the state, and other levels where the file has districts alone. */
  const localPart = (line: FileLine, total: Rate, known: readonly LocalRate[]): Rate => {
    if (stateRate === undefined)
      throw new ContentRefusedError(line.at, `the content has no rate of ${state} on ${on}`);
    const others = layout.isDistricts ? known.filter(({ level }) => level !== 'special') : [];
    const local = total - stateRate - sumOf(others);
    if (local < 0)
      throw new ContentRefusedError(line.at, `the rate ${formatRate(total)} is lower than that of the state`);
    return rate(local);
  };

  return (line) => {
    const [name, code] = [cellOf(line, layout, 'name'), cellOf(line, layout, 'code')];
    const rule = layout.areas?.find(({ where }) => matches(line, layout, where));
    if (layout.areas && !rule)
      throw new ContentRefusedError(
        line.at,
        `${code || name || 'an empty cell'} is not the code or name of an area`,
      );
    if (rule?.is === 'no rate') return { ...NO_RATE, line, name, code };
    const given = partsOf(line, layout, name);
    const is = rule?.is ?? (given.some(({ level }) => level === 'city') ? 'city' : 'outside');
    const county = countyOf(line, is === 'outside' ? name : '');
    const city = is === 'city' ? cityOf(content, layout, name, county) : undefined;
    const known = knownAt(county, city);
    const isCarried = layout.byStreet !== undefined && matches(line, layout, layout.byStreet);
    const ownLevel = is === 'outside' ? 'county' : 'city';
    const parts = given.flatMap((part): readonly Part[] => {
      const level = part.level ?? (layout.isDistricts ? 'special' : ownLevel);
      if (level === 'state') {
        if (localPart(line, part.rate, []) === 0) return [];
        throw new ContentRefusedError(line.at, `the rate of ${state} is another one in the content`);
      }
      const local = layout.withState && !isCarried ? localPart(line, part.rate, known) : part.rate;
      return [{ ...part, level, county, rate: isCarried ? rate(sumOf(known)) : local }];
    });
    const isKnown = sumOf(parts) === sumOf(known.filter(({ level }) => level === 'special'));
    const counties = county === '' ? (city?.counties ?? []) : [county];
    return { line, code, name, is, county, city, counties, parts, isCarried, isKnown };
  };
};

const NO_RATE = {
  is: 'no rate',
  county: '',
  city: undefined,
  counties: [],
  parts: [],
  isCarried: false,
  isKnown: false,
} as const;

const cellOf = (line: FileLine, { columns }: Layout, name: string): string => {
  const column = columns[name];
  return column === undefined ? '' : line.cell(column);
};

const sumOf = (rates: readonly { readonly rate: Rate }[]): number =>
  rates.reduce((total, each) => total + each.rate, 0);

type GivenPart = Omit<Part, 'level' | 'county'> & { readonly level: Part['level'] | 'state' | undefined };

/** Read the taxes of a line. @throws {ContentRefusedError} when they do not add up */
const partsOf = (line: FileLine, layout: Layout, name: string): readonly GivenPart[] => {
  const { parts, unit, sum, sumMax, isDistricts } = layout;
  const rateIn = (column: Column): Rate => rateOf(line.cell(column), unit, line.at);
  if (!parts) {
    const code = isDistricts ? '' : cellOf(line, layout, 'code');
    return [{ level: undefined, code, name: '', rate: rateIn(layout.columns['rate'] ?? '') }];
  }
  const given = parts.flatMap((part): readonly GivenPart[] => {
    if (part.absent?.test(line.cell(part.name ?? part.rate))) return [];
    const [label, code] = [part.name, part.code].map((column) =>
      column === undefined ? '' : line.cell(column),
    );
    return [
      {
        level: part.level,
        code: code ?? '',
        name: label ?? '',
        called: part.called,
        rate: rateIn(part.rate),
      },
    ];
  });
  if (sum !== undefined && sumOf(given) !== rateIn(sum))
    throw new ContentRefusedError(
      line.at,
      `the parts of the rate of ${name} do not add up to ${line.cell(sum)}`,
    );
  if (sumMax !== undefined && sumOf(given) > sumMax * RATE_ONE)
    throw new ContentRefusedError(line.at, `the local rates add up to more than ${sumMax}`);
  return given;
};

/** The form in which names of counties are compared: `DE KALB CO` is DeKalb County. */
const countyKey = (name: string): string =>
  placeKey(name.replace(/\s+(?:county|co\.?)$/i, '')).replaceAll(' ', '');

const NO_COUNTY = /^(n\/a)?$/i;

/**
 * Returns a function that finds the three-digit code of the county of a line; empty when there is none. A line of a county
 * that does not name it otherwise has its name.
 */
const countyFinder = (layout: Layout, content: TaxContent): ((line: FileLine, name: string) => string) => {
  const codes = new Map<string, string>();
  for (const [fips, name] of content.counties) {
    if (content.countyStates.get(fips) !== layout.state) continue;
    const code = fips.slice(2);
    codes.set(countyKey(name), code);
    // Counties are numbered alphabetically, and the federal codes are the odd numbers in this order.
    codes.set(String((Number(code) + 1) / 2).padStart(2, '0'), code);
  }
  return (line, name) => {
    const number = layout.countyNumber?.exec(cellOf(line, layout, 'code'));
    if (number) return codes.get(number[1] ?? '') ?? '';
    const own = cellOf(line, layout, 'county');
    const isNamed = !NO_COUNTY.test(own);
    const code = codes.get(countyKey(isNamed ? own : name));
    if (isNamed && code === undefined) throw new ContentRefusedError(line.at, `${own} is not a county`);
    return code ?? '';
  };
};

/** Find a city by its name: in its county, if that is known. */
const cityOf = (content: TaxContent, { state }: Layout, name: string, county: string): Place | undefined => {
  const fitting = placesNamed(content, state, name).filter(
    ({ counties }) => county === '' || counties.includes(county),
  );
  return fitting.find(({ incorporated }) => incorporated) ?? fitting[0];
};

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
  const ofCounty = is === 'outside' || part.level === 'county';
  const county = ofCounty ? countyName(frame, part.county) : undefined;
  const area = county === undefined ? (city?.name ?? name) : county;
  const called = part.called === undefined ? area : `${area} ${part.called}`;
  const ownName = frame.layout.isDistricts ? `District taxes in ${called}` : called;
  return {
    code: part.code || (county === undefined ? city?.fips : part.county) || code || name,
    name: part.name || (ofCounty && part.level === 'city' ? `${area} outside cities` : ownName),
  };
};

const countyName = ({ layout, content }: RowFrame, county: string): string | undefined =>
  content.counties.get(`${content.stateFips.get(layout.state)}${county}`);

/** The rows of lines that each speak for themselves: every tax of a line holds in its area. */
export const rowsApart = (frame: RowFrame, areas: readonly AreaLine[]): readonly TextRow[] =>
  areas.flatMap((area) => {
    const cells = cellsOf(area);
    return area.parts.map((part) => rowOf(frame, area, part, cells));
  });

const cellsOf = ({ is, counties, city }: AreaLine): AreaCells => {
  if (counties.length === 0 || is === 'unplaced') return {};
  if (is === 'outside') return { scope: 'unincorporated', counties: counties.join(' ') };
  return city ? placeCells([city.name], counties) : {};
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
    part.level === 'city' ? [rowOf(frame, area, part, cellsOf(area))] : [],
  );
  const shared = Map.groupBy(
    taxes.filter(({ part }) => part.level !== 'city'),
    ({ part }) => taxKey(part),
  );
  for (const tax of shared.values()) {
    const rates = byUse(tax, ({ part }) => part.rate);
    rows.push(...rates.flatMap((having, index) => sharedRows(frame, areas, having, index === 0)));
  }
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
const areaKey = ({ is, parts, county, name }: AreaLine): string => {
  if (is !== 'city') return county === '' ? name : `land ${county}`;
  return parts.find(({ level }) => level === 'city')?.code || `${county} ${name}`;
};

/**
 * Put the lines of an area together: the usual rate of each tax, and a district if all lines have it at one rate. Of land outside of cities, the lines that are named after the county count, if there are such.
 */
const joined = (frame: RowFrame, all: readonly AreaLine[]): AreaLine => {
  const named = all.filter(
    ({ is, name, county }) => is !== 'city' && countyKey(name) === countyKey(countyName(frame, county) ?? ''),
  );
  const lines = named.length > 0 ? named : all;
  const [first] = lines as [AreaLine];
  const taxes = Map.groupBy(
    lines.flatMap(({ parts }) => parts),
    ({ level, code, county }) => `${level} ${level === 'county' ? county : ''} ${code}`,
  );
  const parts = [...taxes.values()].flatMap((same) => {
    const usual = byUse(same, ({ rate }) => rate)[0] ?? [];
    return usual[0] && (usual[0].level !== 'special' || usual.length === lines.length) ? [usual[0]] : [];
  });
  return { ...first, parts, counties: [...new Set(lines.flatMap(({ counties }) => counties))] };
};

/** Group things by their rates, the rate of most of them first. */
const byUse = <Thing>(things: readonly Thing[], rateOf: (thing: Thing) => Rate): readonly Thing[][] =>
  [...Map.groupBy(things, rateOf).values()].toSorted((left, right) => right.length - left.length);
