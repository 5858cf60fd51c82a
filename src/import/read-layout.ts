import { ContentRefusedError } from '../content/content-folder.ts';
import { OPEN_END, type TaxContent } from '../content/tax-content.ts';
import { calendarDate } from '../kernel/calendar.ts';
import { type AreaLine, areaReader, type FileLine, lineOf, rowsApart, rowsTogether } from './areas.ts';
import { LAYOUTS, type Layout } from './layouts.ts';
import {
  dayOf,
  type FilePeriod,
  newestOf,
  type OfficialFile,
  periodOfName,
  quarterOf,
  type Rows,
} from './official-file.ts';
import { daysFromOn, type ParsedFile, type TextRow } from './parsed-file.ts';

/** A file whose layout is known. */
export type RecognizedFile = {
  readonly layout: Layout;
  readonly lines: readonly FileLine[];
  /** What the first line says of the file, where the layout has such a line. */
  readonly said: Readonly<Record<string, string>>;
};

/** Titles are compared without blanks and without what stands in parentheses. */
const titleKey = (title: string): string => title.replace(/\(.*$/, '').replace(/\s/g, '').toLowerCase();

/** Maximum number of rows above the titles. */
const ABOVE_MAX = 20;

/** The least share of the titles of a layout with which a file counts as one of it with other columns. */
const LIKENESS = 0.75;

/**
 * Find the layout of a table by its titles.
 *
 * @throws {ContentRefusedError} when it has most titles of a layout, and lacks others
 */
export const recognizeTable = (file: OfficialFile, rows: Rows): RecognizedFile | undefined => {
  const likely = LAYOUTS.filter(({ form }) => form === 'table').flatMap((layout) =>
    rows.slice(0, ABOVE_MAX).map((row, top) => {
      const titles = row.map(titleKey);
      const needed = titlesOf(layout);
      const missing = needed.filter((title) => !titles.includes(title));
      return { layout, top, titles, missing, likeness: 1 - missing.length / needed.length };
    }),
  );
  const best = likely.toSorted((left, right) => right.likeness - left.likeness)[0];
  if (best === undefined || best.likeness < LIKENESS) return undefined;
  const { layout, top, titles, missing } = best;
  if (missing.length > 0)
    throw new ContentRefusedError(
      file.name,
      `it looks like the file of ${layout.state} (${layout.kind}), and has no column ${missing.join(', ')}`,
    );
  const lines = rows
    .slice(top + 1)
    .map((row, index) => lineOf(`${file.name}: row ${top + index + 2}`, row, titles));
  return { layout, lines, said: {} };
};

const titlesOf = ({ columns, parts = [], sum }: Layout): readonly string[] => {
  const all = [...Object.values(columns), ...parts.map(({ rate }) => rate), sum];
  return [...new Set(all.filter((column) => typeof column === 'string'))];
};

/** Find the layout of a file without titles by its first line. */
export const recognizeLines = (file: OfficialFile, lines: readonly string[]): RecognizedFile | undefined => {
  const [first = ''] = lines.filter((line) => line.trim() !== '');
  for (const layout of LAYOUTS) {
    const found = layout.firstLine?.exec(first);
    const { form } = layout;
    if (!found || form === 'table' || ('width' in form && first.length !== form.width)) continue;
    const read = lines.flatMap((line, index) => {
      const at = `${file.name}:${index + 1}`;
      if (line.trim() === '') return [];
      if ('width' in form) return [lineOf(at, cutCells(form, line, at), form.cuts.length)];
      const cells = line.split('\t').map((cell) => cell.trim());
      return line === first || form.except.test(line) ? [] : [lineOf(at, cells, form.cells)];
    });
    return { layout, lines: read, said: found.groups ?? {} };
  }
  return undefined;
};

const cutCells = (
  { width, cuts }: { readonly width: number; readonly cuts: readonly number[] },
  line: string,
  at: string,
): readonly string[] => {
  if (line.length !== width)
    throw new ContentRefusedError(at, `the line has ${line.length} characters instead of ${width}`);
  return cuts.map((cut, index) => line.slice(cut, cuts[index + 1]).trim());
};

/** Read a file of a state in a known layout. @throws {ContentRefusedError} when it is damaged or not complete */
export const readLayout = (
  file: OfficialFile,
  { layout, lines, said }: RecognizedFile,
  content: TaxContent,
): ParsedFile => {
  const { kind, state } = layout;
  if (said['rows'] !== undefined && lines.length !== Number(said['rows']))
    throw new ContentRefusedError(
      file.name,
      `the file announces ${said['rows']} rows and has ${lines.length}: it is cut off`,
    );
  const period = periodOf(file, layout, said, lines);
  const read = lines.map(areaReader(layout, content, calendarDate(period.first)));
  checkCounties(file, layout, read);
  if (layout.isDistricts) refuseRepeats(read);
  const rated = read.filter(({ is }) => is !== 'no rate');
  const changed = layout.isDistricts ? changedCounties(layout, content, rated) : undefined;
  const areas = rated.filter(({ county }) => changed?.has(county) ?? true);
  const frame = {
    layout,
    content,
    daysOf: ({ line }: AreaLine) => ({
      from: layout.days === 'own' ? dayAt(line, layout) : period.first,
      to: '',
      seen: period.first,
    }),
  };
  return {
    kind,
    state,
    period,
    rows: lines.length,
    stateRates: [],
    localRates: layout.isTogether ? rowsTogether(frame, areas) : rowsApart(frame, areas),
    warnings: [...warningsOf(areas), ...changedWarning(changed)],
    replaces: replacedBy(layout, period, changed),
    // Such a file has every place, and the rates that stay are a part of each.
    ...(changed && { confirms: (row: TextRow) => row['state'] === state && row['tax'] === 'general' }),
  };
};

const dayAt = (line: FileLine, { columns }: Layout): string =>
  dayOf(line.cell(columns['from'] ?? ''), line.at);

/** @throws {ContentRefusedError} when the file does not say for which days it is */
const periodOf = (
  file: OfficialFile,
  layout: Layout,
  said: RecognizedFile['said'],
  lines: readonly FileLine[],
): FilePeriod => {
  if (layout.days === 'name') return periodOfName(file);
  if (layout.days === 'first line') {
    const quarter = quarterOf(Number(said['year']), Number(said['quarter']));
    if (quarter) return quarter;
    throw new ContentRefusedError(file.name, `${said['year']}${said['quarter']} is not a quarter`);
  }
  const newest = newestOf(lines.map((line) => dayAt(line, layout)));
  if (newest === '') throw new ContentRefusedError(file.name, 'the file has no rate');
  // A file with days of its own has all rates in force when it was made, on a day that it does not say.
  return { label: newest, first: newest, last: layout.days === 'own' ? OPEN_END : newest };
};

/** @throws {ContentRefusedError} when counties are missing */
const checkCounties = (file: OfficialFile, { counties: least }: Layout, areas: readonly AreaLine[]): void => {
  const found = new Set(areas.flatMap(({ county }) => county || [])).size;
  if (least === undefined || found >= least) return;
  throw new ContentRefusedError(
    file.name,
    `it has ${found} of ${least} counties, the others are missing: it is not complete`,
  );
};

/** @throws {ContentRefusedError} when two lines are about one place */
const refuseRepeats = (areas: readonly AreaLine[]): void => {
  const seen = new Set<string>();
  for (const { line, is, name, county } of areas) {
    const place = `${is} ${name} ${county}`;
    if (seen.has(place)) throw new ContentRefusedError(line.at, `${name} stands there twice`);
    seen.add(place);
  }
};

/**
 * The counties in which the content comes to another total somewhere, and those with which they share a district: that
 * is replaced as a whole.
 */
const changedCounties = (
  { state }: Layout,
  content: TaxContent,
  areas: readonly AreaLine[],
): ReadonlySet<string> => {
  const changed = new Set(areas.filter(({ isKnown }) => !isKnown).map(({ county }) => county));
  const districts = content.states.get(state)?.localRates.filter((row) => row.level === 'special') ?? [];
  for (let before = -1; before !== changed.size; ) {
    before = changed.size;
    for (const { counties } of districts)
      if (counties.some((county) => changed.has(county))) for (const county of counties) changed.add(county);
  }
  return changed;
};

const changedWarning = (changed: ReadonlySet<string> | undefined): readonly string[] =>
  changed && changed.size > 0 ? [`Districts of ${changed.size} counties became totals by place.`] : [];

/** What a file replaces: the rates of its tax from its first day on, or of all days where its lines have their own. */
const replacedBy =
  (
    { state, tax, isDistricts, days }: Layout,
    { first }: FilePeriod,
    changed: ReadonlySet<string> | undefined,
  ): ParsedFile['replaces'] =>
  (row) => {
    const isOther = changed && !(row['counties'] ?? '').split(' ').some((county) => changed.has(county));
    if (row['state'] !== state || row['tax'] !== (tax ?? 'general') || isOther) return [];
    if (isDistricts && row['level'] !== 'special') return [];
    return daysFromOn(days === 'own' ? '' : first);
  };

const warningsOf = (areas: readonly AreaLine[]): readonly string[] => [
  ...named(
    'The rate depends on the street',
    areas.filter(({ isCarried }) => isCarried),
    'The known rates were carried on.',
  ),
  ...named(
    'Places that the content does not have',
    areas.filter(({ is, city }) => is === 'city' && !city),
    'Their taxes are kept, and not applied.',
  ),
];

const NAMES_MAX = 10;

/** Return a warning about areas, with the names of the first ones. */
const named = (what: string, areas: readonly AreaLine[], outcome: string): readonly string[] => {
  if (areas.length === 0) return [];
  const names = [...new Set(areas.map(({ name }) => name))];
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : '';
  return [`${what}: ${names.slice(0, NAMES_MAX).join(', ')}${more}. ${outcome}`];
};
