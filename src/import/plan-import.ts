import { type ContentFolder, ContentRefusedError, openContentFolder } from '../content/content-folder.ts';
import { loadWholeContent } from '../content/load-content.ts';
import { OPEN_END, type TaxContent } from '../content/tax-content.ts';
import { addDays, type CalendarDate, calendarDate } from '../kernel/calendar.ts';
import { compareText } from '../kernel/text.ts';
import { isBoundaryFile, parseBoundaryFile } from './boundary-file.ts';
import { isNeutral, parseNeutral } from './neutral.ts';
import {
  csvRows,
  dayBefore,
  inMemory,
  lineBatches,
  linesOf,
  type OfferedFile,
  type OfficialFile,
  offeredFile,
} from './official-file.ts';
import {
  beginOf,
  endOf,
  LOCAL_RATES,
  outside,
  type ParsedFile,
  readRows,
  STATE_RATES,
  type TextRow,
  upTo,
} from './parsed-file.ts';
import { readLayout, recognizeLines, recognizeTable } from './read-layout.ts';
import { parseSstName, parseSstRates } from './sst-rates.ts';

/** An import that is planned but not yet written. */
export type PlannedImport = {
  readonly folder: ContentFolder;
  readonly file: OfferedFile;
  readonly parsed: ParsedFile;
  /** The tables that the import writes, by name. */
  readonly tables: ReadonlyMap<string, readonly TextRow[]>;
  readonly diff: ContentDiff;
  readonly warnings: readonly string[];
};

export type ImportLimits = {
  /** Minimum number of data rows; by default nine tenths of what the content has from such a file. */
  readonly rowFloor?: number | undefined;
};

/** Days after the end of its period for which a file still counts as current. */
const CURRENT_DAYS = 366;
const FLOOR_SHARE = 0.9;

/**
 * Read a file, compare it with the content, and plan what an import would change. Nothing is written.
 *
 * @throws {ContentRefusedError} when the file is damaged, of an unknown layout, or older than an earlier import
 */
export const planImport = async (
  path: string,
  folderPath: string,
  limits: ImportLimits,
): Promise<PlannedImport> => {
  const file = await offeredFile(path);
  const folder = openContentFolder(folderPath);
  const localRates = readRows(folder, LOCAL_RATES);
  const stateRates = readRows(folder, STATE_RATES);
  const existing = [...stateRates, ...localRates];
  const parsed = await parseFile(file, loadWholeContent(folderPath), existing);
  checkFloor(file, parsed, localRates, folder, limits);
  checkAge(file, parsed, folder);
  const until = lastDayOf(parsed, existing, folder);
  const tables = new Map<string, readonly TextRow[]>();
  const mergedState = mergeRows(stateRates, parsed.stateRates, parsed, until);
  const mergedLocal = mergeRows(localRates, parsed.localRates, parsed, until);
  if (parsed.stateRates.length > 0) tables.set(STATE_RATES, mergedState);
  if (parsed.localRates.length > 0 || parsed.confirms) tables.set(LOCAL_RATES, mergedLocal);
  const warnings = [...parsed.warnings, ...unmappedWarning(parsed)];
  if (until !== undefined)
    warnings.push(
      `The file was taken for the days up to ${until}: what the content has of later days is newer, and stays.`,
    );
  return {
    folder,
    file,
    parsed,
    tables,
    diff: diffRows(existing, [...mergedState, ...mergedLocal]),
    warnings,
  };
};

/** Return the warning about rates that only a boundary file can place. */
const unmappedWarning = ({ localRates }: ParsedFile): readonly string[] => {
  const unmapped = localRates.filter((row) => row['scope'] === 'unmapped' && Number(row['rate']) > 0);
  const count = new Set(unmapped.map((row) => `${row['state']} ${row['level']} ${row['code']}`)).size;
  if (count === 0) return [];
  return [
    `${count === 1 ? 'One local tax has' : `${count} local taxes have`} no known area and ${count === 1 ? 'is' : 'are'} applied only where a boundary file names the code: places that it does not have count as incomplete at that level.`,
  ];
};

const lastImport = ({ kind, state }: ParsedFile, { manifest }: ContentFolder) =>
  manifest.imports?.findLast((entry) => entry.kind === kind && entry.state === state);

/**
 * Return the last day for which a file is taken: the day before the content has the first newer rate that the file would
 * replace. `undefined` where the content has none. Doubtful rates do not count, nor do those that begin on the day on
 * which they were first seen: they may be what the file has. Of a file of a past year, every rate seen since is newer.
 */
const lastDayOf = (
  { kind, period, replaces }: ParsedFile,
  existing: readonly TextRow[],
  { manifest }: ContentFolder,
): string | undefined => {
  if (period === undefined || period.last === OPEN_END) return undefined;
  const { last } = period;
  const current = addDays(calendarDate(last), CURRENT_DAYS);
  const isPast = current < (manifest.date as CalendarDate);
  const newer = existing.flatMap((row): readonly string[] => {
    if (replaces(row).length === 0) return [];
    const [begin, seen] = [beginOf(row), row['seen'] ?? ''];
    const isCertain = begin !== seen && manifest.confidence.includes(row['confidence'] ?? '');
    if (begin > last && isCertain) return [begin];
    return isPast && seen > current && seen <= endOf(row) ? [seen] : [];
  });
  return [...(isPast && kind === 'sst-rates' ? [last] : []), ...newer.map(dayBefore)].sort()[0];
};

const checkFloor = (
  file: OfferedFile,
  parsed: ParsedFile,
  localRates: readonly TextRow[],
  folder: ContentFolder,
  limits: ImportLimits,
): void => {
  const floor = limits.rowFloor ?? floorOf(parsed, localRates, folder);
  if (parsed.rows >= Math.max(1, floor)) return;
  throw new ContentRefusedError(
    file.name,
    `the file has ${parsed.rows} rows, and at least ${Math.max(1, floor)} were expected: it is not complete`,
  );
};

const floorOf = (parsed: ParsedFile, localRates: readonly TextRow[], folder: ContentFolder): number => {
  if (parsed.kind === 'neutral') return 1;
  const last = lastImport(parsed, folder);
  if (last) return Math.ceil(last.rows * FLOOR_SHARE);
  // These files came before, in the default content.
  if (parsed.kind !== 'sst-rates' && parsed.kind !== 'cdtfa') return 1;
  const known = localRates.filter(
    (row) =>
      row['state'] === parsed.state && row['tax'] === 'general' && row['confidence'] === 'official-file',
  );
  return Math.ceil(known.length * FLOOR_SHARE);
};

/** Refuse a file that is older than the last one of its kind and state. */
const checkAge = (file: OfferedFile, parsed: ParsedFile, folder: ContentFolder): void => {
  const last = folder.manifest.imports?.findLast(
    ({ kind, state, period }) => kind === parsed.kind && state === parsed.state && period !== '',
  );
  if (!last || !parsed.period || parsed.period.label >= last.period) return;
  throw new ContentRefusedError(
    file.name,
    `the file is for ${parsed.period.label}, and ${last.file} of ${last.period} was imported before`,
  );
};

/**
 * Merge the rows of a file into a table: existing rows keep the days that the file does not replace. Where the file has a
 * last day, the existing rows apply again after it.
 */
const mergeRows = (
  existing: readonly TextRow[],
  added: readonly TextRow[],
  file: ParsedFile,
  until: string | undefined,
): TextRow[] => {
  if (added.length === 0 && !file.confirms) return [...existing];
  const kept = existing.flatMap((row) => {
    const replaced = file.replaces(row);
    if (replaced.length === 0) return [confirmed(row, file)];
    return replaced.reduce(
      (left, { from, to }) => left.flatMap((one) => outside(one, { from, to: until ?? to })),
      [row],
    );
  });
  const taken = until === undefined ? added : added.flatMap((row) => upTo(row, until));
  return [...kept, ...taken].sort(byState);
};

/** Return a row with the day on which a file shows it to be in force still. */
const confirmed = (row: TextRow, { confirms, period }: ParsedFile): TextRow => {
  const day = period?.first ?? '';
  const isSeen = confirms?.(row) === true && beginOf(row) <= day && day <= endOf(row);
  return isSeen && (row['seen'] ?? '') < day ? { ...row, seen: day } : row;
};

const byState = (left: TextRow, right: TextRow): number =>
  compareText(left['state'] ?? '', right['state'] ?? '');

/** One difference that an import makes to a content: a rate with its last day, before and after. */
type ContentChange = Readonly<
  Record<'state' | 'level' | 'code' | 'name' | 'tax' | 'from' | 'before' | 'after', string>
> & { readonly change: 'added' | 'removed' | 'changed' };

export type ContentDiff = {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly changes: readonly ContentChange[];
};

const cells = (row: TextRow, names: readonly string[]): string =>
  names.map((name) => row[name] ?? '').join('|');

const keyOf = (row: TextRow): string =>
  cells(row, ['state', 'level', 'code', 'tax', 'from', 'counties', 'places']);

const shownCells = (row: TextRow): string =>
  cells({ ...row, rate: String(Number(row['rate'])) }, [
    'rate',
    'to',
    'confidence',
    'scope',
    'except_places',
  ]);

const rateText = (row: TextRow | undefined): string =>
  row ? `${row['rate']}${row['to'] ? ` until ${row['to']}` : ''}` : '';

const changeOf = (was: TextRow | undefined, now: TextRow | undefined): ContentChange => {
  const row = now ?? was ?? {};
  return {
    change: !was ? 'added' : now ? 'changed' : 'removed',
    state: row['state'] ?? '',
    level: row['level'] ?? 'state',
    code: row['code'] ?? '',
    name: row['name'] ?? row['state'] ?? '',
    tax: row['tax'] ?? 'general',
    from: row['from'] ?? '',
    before: rateText(was),
    after: rateText(now),
  };
};

/** Compare the rows before and after an import. Rows match when jurisdiction, area, tax and first day are the same. */
const diffRows = (before: readonly TextRow[], after: readonly TextRow[]): ContentDiff => {
  const old = Map.groupBy(before, keyOf);
  const changes = after.flatMap((row) => {
    const was = old.get(keyOf(row))?.shift();
    return was && shownCells(was) === shownCells(row) ? [] : [changeOf(was, row)];
  });
  const unchanged = after.length - changes.length;
  for (const row of [...old.values()].flat()) changes.push(changeOf(row, undefined));
  const count = (kind: string) => changes.filter(({ change }) => change === kind).length;
  const [added, removed, changed] = [count('added'), count('removed'), count('changed')];
  return { added, removed, changed, unchanged, changes };
};

/** An SST rate line begins with the state, a type and a code. */
const SST_RATE_LINE = /^\d{2},[0-9A-Za-z]{2},[0-9A-Za-z]{1,5},/;

/**
 * Recognize an official file by its layout, a Streamlined file also by its name, and read it completely.
 *
 * @throws {ContentRefusedError} when no importer knows the layout, or the file is damaged
 */
export const parseFile = async (
  offered: OfferedFile,
  content: TaxContent,
  existing: readonly TextRow[],
): Promise<ParsedFile> => {
  const firstLine = await firstLineOf(offered);
  if (isBoundaryFile(offered, firstLine)) return parseBoundaryFile(offered, content);
  const file = await inMemory(offered);
  if (parseSstName(file.name)?.part === 'R' || SST_RATE_LINE.test(firstLine))
    return parseSstRates(file, content, existing);
  const listed = recognizeLines(file, linesOf(file));
  if (listed) return readLayout(file, listed, content);
  const rows = csvRows(file);
  if (isNeutral(rows)) return parseNeutral(file, rows, content, existing);
  const table = recognizeTable(file, rows);
  if (table) return readLayout(file, table, content);
  throw unknownLayout(file);
};

const firstLineOf = async (file: OfferedFile): Promise<string> => {
  for await (const lines of lineBatches(file)) {
    const first = lines.find((line) => line.trim() !== '');
    if (first !== undefined) return first.replace(/\r$/, '');
  }
  return '';
};

const unknownLayout = (file: OfficialFile): ContentRefusedError =>
  new ContentRefusedError(file.name, 'no importer knows this layout; docs/content.md lists the layouts');
