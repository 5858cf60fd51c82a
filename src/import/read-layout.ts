import { ContentRefusedError } from '../content/content-folder.ts';
import { OPEN_END, type TaxContent } from '../content/tax-content.ts';
import { calendarDate } from '../kernel/calendar.ts';
import { type Rate, rate } from '../kernel/money.ts';
import { type AreaLine, areaKey, areaReader, rowsApart, rowsTogether } from './areas.ts';
import { type FileLine, matches, type RecognizedFile } from './file-lines.ts';
import type { Layout } from './layouts.ts';
import {
  dayOf,
  endDayOf,
  newestOf,
  type OfficialFile,
  periodOfName,
  quarterOf,
  rateOf,
} from './official-file.ts';
import { daysFromOn, type FilePeriod, type ParsedFile, type TextRow } from './parsed-file.ts';

/** Read a file of a state in a known layout. @throws {ContentRefusedError} when it is damaged or not complete */
export const readLayout = (
  file: OfficialFile,
  { layout, lines: all, said }: RecognizedFile,
  content: TaxContent,
): ParsedFile => {
  const { kind, state } = layout;
  const lines = all.filter((line) => matches(line, layout, layout.only) && !isEnded(line, layout, content));
  if (said['rows'] !== undefined && lines.length !== Number(said['rows']))
    throw new ContentRefusedError(
      file.name,
      `the file announces ${said['rows']} rows and has ${lines.length}: it is cut off`,
    );
  const period = periodOf(file, layout, said, lines);
  const read = lines.map(areaReader(layout, content, calendarDate(period.first)));
  checkCounties(file, layout, read);
  const once = withoutRepeats(layout, read);
  const rated = once.filter(({ is }) => is !== 'no rate' && is !== 'left out');
  if (
    layout.unit === 'percent' &&
    rated.every(({ parts }) => parts.every((part) => part.rate < LEAST_HIGHEST))
  )
    throw new ContentRefusedError(
      file.name,
      'all rates are below 1 %: the file has fractions instead of percent',
    );
  const changed = layout.keepsEqual ? changedCounties(layout, content, rated) : undefined;
  const areas = rated.filter(({ county }) => changed?.has(county) ?? true);
  const frame = { layout, content, daysOf: (area: AreaLine) => daysOf(layout, period, area) };
  const localRates = layout.together
    ? rowsTogether(frame, layout.withCounty ? beyondCounties(areas) : areas)
    : rowsApart(frame, areas);
  return {
    kind,
    state,
    period,
    rows: lines.length,
    stateRates: [],
    localRates,
    warnings: [...warningsOf(layout, read, areas), ...changedWarning(changed)],
    replaces: replacedBy(layout, period, localRates, changed),
    // Such a file has every place, and the rates that stay are a part of each.
    ...(changed && { confirms: (row: TextRow) => row['state'] === state && row['tax'] === 'general' }),
  };
};

/** The highest rate of a file in percent is at least this. */
const LEAST_HIGHEST = rate(100_000);

/** Whether a line with days of its own ended before the day of the content. */
const isEnded = (line: FileLine, layout: Layout, content: TaxContent): boolean => {
  const to = endOf(line, layout);
  return to !== '' && to < content.date;
};

const dayAt = (line: FileLine, { columns }: Layout): string =>
  dayOf(line.cell(columns['from'] ?? ''), line.at);

const endOf = (line: FileLine, { columns: { to } }: Layout): string => {
  const text = to === undefined ? '' : line.cell(to);
  return text === '' ? '' : endDayOf(text, line.at);
};

/** @throws {ContentRefusedError} when the file does not say for which days it is */
const periodOf = (
  file: OfficialFile,
  layout: Layout,
  said: RecognizedFile['said'],
  lines: readonly FileLine[],
): FilePeriod => {
  if (layout.days === 'name') return periodOfName(file.name, file.offered);
  if (layout.days === 'first line') {
    const quarter = quarterOf(Number(said['year']), Number(said['quarter']));
    if (quarter) return quarter;
    throw new ContentRefusedError(file.name, `${said['year']}${said['quarter']} is not a quarter`);
  }
  const days = lines.map((line) => dayAt(line, layout));
  const newest = newestOf(days);
  if (newest === '') throw new ContentRefusedError(file.name, 'the file has no rate');
  // A file with days of its own has all rates in force when it was made, on a day that it does not say.
  return { label: newest, first: newest, last: layout.days === 'own' ? OPEN_END : newest };
};

const daysOf = (layout: Layout, { first }: FilePeriod, { line }: AreaLine) => ({
  from: layout.days === 'own' ? dayAt(line, layout) : first,
  to: endOf(line, layout),
  seen: first,
});

/** @throws {ContentRefusedError} when counties are missing */
const checkCounties = (file: OfficialFile, { counties }: Layout, areas: readonly AreaLine[]): void => {
  if (!counties) return;
  const those =
    counties.in === 'any line' ? areas : areas.filter(({ is }) => is === 'county' || is === 'outside');
  const found = new Set(those.map(({ county }) => county).filter((county) => county !== '')).size;
  if (found < counties.least)
    throw new ContentRefusedError(
      file.name,
      `it has ${found} of ${counties.least} counties, the others are missing: it is not complete`,
    );
};

/** Leave out lines that say again what another one says. @throws {ContentRefusedError} when they may not, or contradict it */
const withoutRepeats = ({ once }: Layout, areas: readonly AreaLine[]): readonly AreaLine[] => {
  if (!once) return areas;
  const seen = new Map<string, Rate | undefined>();
  return areas.filter(({ line, is, code, name, county, parts }) => {
    const key = code || `${is} ${name} ${county}`;
    const value = parts[0]?.rate;
    if (!seen.has(key)) return seen.set(key, value);
    if (once === 'line')
      throw new ContentRefusedError(line.at, `${name} stands there twice${code && `, as ${code}`}`);
    if (seen.get(key) !== value) throw new ContentRefusedError(line.at, `${code} has two rates`);
    return false;
  });
};

/** Divide what cities and their counties come to: where a county has more than a city, the city has no part of it. */
const beyondCounties = (areas: readonly AreaLine[]): readonly AreaLine[] => {
  const counties = new Map(
    areas.flatMap(({ is, county, parts }) => (is === 'county' ? [[county, parts[0]]] : [])),
  );
  return areas.map((area) => {
    const [own] = area.parts;
    const ofCounty = counties.get(area.county);
    if (area.is !== 'city' || !own || !ofCounty || own.rate < ofCounty.rate) return area;
    return { ...area, parts: [ofCounty, { ...own, rate: rate(own.rate - ofCounty.rate) }] };
  });
};

/**
 * The counties in which the content comes to another total somewhere, and those with which they share a district: that
 * is replaced as a whole.
 */
const changedCounties = (
  { state, level }: Layout,
  content: TaxContent,
  areas: readonly AreaLine[],
): ReadonlySet<string> => {
  const changed = new Set(areas.filter(({ isKnown }) => !isKnown).map(({ county }) => county));
  const districts = content.states.get(state)?.localRates.filter((row) => row.level === level) ?? [];
  for (let before = -1; before !== changed.size; ) {
    before = changed.size;
    for (const { counties } of districts)
      if (counties.some((county) => changed.has(county))) for (const county of counties) changed.add(county);
  }
  return changed;
};

const changedWarning = (changed: ReadonlySet<string> | undefined): readonly string[] =>
  changed && changed.size > 0 ? [`Districts of ${changed.size} counties became totals by place.`] : [];

/** What a file replaces: the rates of its tax from its first day on, or from the day that it has of an area. */
const replacedBy = (
  { state, tax, level, days, replacesAll }: Layout,
  { first }: FilePeriod,
  rows: readonly TextRow[],
  changed: ReadonlySet<string> | undefined,
): ParsedFile['replaces'] => {
  const begins = new Map<string, string>();
  for (const row of days === 'own' ? rows : []) {
    const [area, from] = [areaOf(row), row['from'] ?? ''];
    if (from < (begins.get(area) ?? OPEN_END)) begins.set(area, from);
  }
  return (row) => {
    const isOther = changed && !(row['counties'] ?? '').split(' ').some((county) => changed.has(county));
    if (row['state'] !== state || row['tax'] !== (tax ?? 'general') || isOther) return [];
    if (level !== undefined && row['level'] !== level) return [];
    return daysFromOn(replacesAll ? '' : (begins.get(areaOf(row)) ?? first));
  };
};

const areaOf = (row: TextRow): string =>
  `${row['level']} ${row['counties']} ${row['level'] === 'city' ? row['places'] : ''}`;

const warningsOf = (
  layout: Layout,
  all: readonly AreaLine[],
  areas: readonly AreaLine[],
): readonly string[] => {
  const count = (found: readonly unknown[], words: string): readonly string[] =>
    found.length === 0 ? [] : [`${found.length} ${words}`];
  const unknown = areas.filter(({ is, city }) => is === 'city' && !city);
  const carried = areas.filter(({ isCarried }) => isCarried);
  const places = layout.together === 'most lines' ? [...Map.groupBy(areas, areaKey).values()] : [];
  const split = places.filter((lines) => new Set(lines.map(({ parts }) => JSON.stringify(parts))).size > 1);
  const others = areas.filter(({ line }) => hasOtherRate(layout, line));
  return [
    ...count(
      split,
      'places have parts with other districts: the usual ones were taken, and only a street tells the others.',
    ),
    ...count(
      others,
      'places have another use tax rate, which sellers outside of the state charge: the sales tax rates were taken.',
    ),
    ...named('The rate depends on the street', carried, 'The known rates were carried on.'),
    ...named('Places that the content does not have', unknown, 'Their taxes are kept, and not applied.'),
    ...count(
      all.filter(({ is }) => is === 'left out'),
      `${layout.leftOut} were left out: no name of a place leads to them.`,
    ),
  ];
};

/** Whether a line has another rate for sellers outside of the state. */
const hasOtherRate = ({ columns, otherRate, unit }: Layout, line: FileLine): boolean => {
  const text = otherRate === undefined ? '' : line.cell(otherRate);
  const own = line.cell(columns['rate'] ?? '');
  return text !== '' && rateOf(text, unit, line.at) !== rateOf(own, unit, line.at);
};

const NAMES_MAX = 10;

/** Return a warning about areas, with the names of the first ones. */
const named = (what: string, areas: readonly AreaLine[], outcome: string): readonly string[] => {
  if (areas.length === 0) return [];
  const names = [...new Set(areas.map(({ name }) => name))];
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : '';
  return [`${what}: ${names.slice(0, NAMES_MAX).join(', ')}${more}. ${outcome}`];
};
