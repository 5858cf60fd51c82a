import { type ContentFolder, ContentRefusedError, openContentFolder } from '../content/content-folder.ts';
import { loadWholeContent } from '../content/load-content.ts';
import type { TaxContent } from '../content/tax-content.ts';
import { addDays, calendarDate } from '../kernel/calendar.ts';
import { compareText } from '../kernel/text.ts';
import { isBoundaryFile, parseBoundaryFile } from './boundary-file.ts';
import { isNeutral, parseNeutral } from './neutral.ts';
import { csvRows, inMemory, lineBatches, type OfferedFile, offeredFile } from './official-file.ts';
import {
  beginOf,
  COLUMNS,
  isOfState,
  LOCAL_RATES,
  outside,
  type ParsedFile,
  readRows,
  STATE_RATES,
  type Table,
  type TextRow,
} from './parsed-file.ts';
import { parseSstName, parseSstRates } from './sst-rates.ts';

/** An import that is planned but not yet written. */
export type PlannedImport = Awaited<ReturnType<typeof planImport>>;

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
export const planImport = async (path: string, folderPath: string, limits: ImportLimits) => {
  const file = await offeredFile(path);
  const folder = openContentFolder(folderPath);
  const localRates = readRows(folder, LOCAL_RATES);
  const stateRates = readRows(folder, STATE_RATES);
  const existing = [...stateRates, ...localRates];
  const parsed = await parseFile(file, loadWholeContent(folderPath), existing);
  checkFloor(file, parsed, limits.rowFloor ?? floorOf(parsed, existing, folder));
  checkAge(file, parsed, existing, folder);
  /** The tables that the import writes, by name. */
  const tables = new Map<Table, readonly TextRow[]>();
  const mergedState = mergeRows(stateRates, parsed.rates.filter(isOfState), parsed);
  const mergedLocal = mergeRows(localRates, parsed.rates.filter(isOfPlace), parsed);
  if (mergedState !== stateRates) tables.set(STATE_RATES, mergedState);
  if (mergedLocal !== localRates) tables.set(LOCAL_RATES, mergedLocal);
  return {
    folder,
    file,
    parsed,
    tables,
    diff: diffRows(existing, [...mergedState, ...mergedLocal]),
    warnings: [...parsed.warnings, ...unmappedWarning(parsed)],
  };
};

const isOfPlace = (row: TextRow): boolean => !isOfState(row);

/** Return the warning about rates that only a boundary file can place. */
const unmappedWarning = ({ rates }: ParsedFile): readonly string[] => {
  const unmapped = rates.filter((row) => isOfPlace(row) && row.scope === 'unmapped' && Number(row.rate) > 0);
  const count = new Set(unmapped.map((row) => `${row.state} ${row.level} ${row.code}`)).size;
  if (count === 0) return [];
  return [
    `Local taxes without a known area: ${count}; they apply only where a boundary file names the code, and other places count as incomplete at that level.`,
  ];
};

/** Returns the imports of files of the same kind and state, in order. */
const importsLike = ({ kind, state }: ParsedFile, { manifest }: ContentFolder) =>
  (manifest.imports ?? []).filter((entry) => entry.kind === kind && entry.state === state);

const checkFloor = ({ name }: OfferedFile, { rows }: ParsedFile, wanted: number): void => {
  const floor = Math.max(1, wanted);
  if (rows >= floor) return;
  throw new ContentRefusedError(
    name,
    `the file has ${rows} rows, and at least ${floor} were expected: it is not complete`,
  );
};

const floorOf = (parsed: ParsedFile, existing: readonly TextRow[], folder: ContentFolder): number => {
  if (parsed.kind === 'neutral') return 1;
  const last = importsLike(parsed, folder).at(-1);
  if (last) return Math.ceil(last.rows * FLOOR_SHARE);
  // Rate files came before, in the default content.
  if (parsed.kind !== 'sst-rates') return 1;
  const known = existing.filter(
    (row) => row.state === parsed.state && row.tax === 'general' && row.confidence === 'official-file',
  );
  return Math.ceil(known.length * FLOOR_SHARE);
};

/**
 * Refuse a file of earlier days than those of the last one of its kind and state, than the content's own date by more
 * than a year, or than a rate of the content that it would replace. Doubtful rates do not count, nor do those that begin
 * on the day on which they were first seen: they may be what the file has.
 */
const checkAge = (
  file: OfferedFile,
  parsed: ParsedFile,
  existing: readonly TextRow[],
  folder: ContentFolder,
): void => {
  if (!parsed.period) return;
  const { label, last } = parsed.period;
  const { manifest } = folder;
  const imported = importsLike(parsed, folder).findLast(({ period }) => period !== '');
  if (imported && label < imported.period)
    throw tooOld(file, label, `${imported.file} of ${imported.period} was imported before`);
  if (addDays(calendarDate(last), CURRENT_DAYS) < calendarDate(manifest.date))
    throw tooOld(file, label, `the content is of ${manifest.date}`);
  const newer = existing.find((row) => {
    const isCertain = beginOf(row) !== row.seen && manifest.confidence.includes(row.confidence ?? '');
    return beginOf(row) > last && isCertain && parsed.replaces(row).length > 0;
  });
  if (newer) throw tooOld(file, label, `the content has a rate of ${newer.name} from ${beginOf(newer)}`);
};

const tooOld = (file: OfferedFile, label: string, newer: string): ContentRefusedError =>
  new ContentRefusedError(
    file.name,
    `the file is for ${label}, and ${newer}`,
    undefined,
    'Nothing was changed. Import the newest file of the state; rates of earlier days alone are written as a neutral file with `from` and `to`.',
  );

/** Merge the rows of a file into a table: existing rows keep the days that the file does not replace. */
const mergeRows = (
  existing: readonly TextRow[],
  added: readonly TextRow[],
  file: ParsedFile,
): readonly TextRow[] => {
  if (added.length === 0) return existing;
  const kept = existing.flatMap((row) =>
    file.replaces(row).reduce((left, days) => left.flatMap((one) => outside(one, days)), [row]),
  );
  return [...kept, ...added].sort(byState);
};

const byState = (left: TextRow, right: TextRow): number => compareText(left.state ?? '', right.state ?? '');

/** What an import changes: the rows that only the content after it has, and those that only the one before has. */
export type ContentDiff = { readonly added: readonly TextRow[]; readonly removed: readonly TextRow[] };

/** What does not tell rates apart, and what is compared as a number. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['rate', 'source', 'confidence', 'seen', 'note']);
const COMPARED = COLUMNS[LOCAL_RATES].filter((name) => !NOT_COMPARED.has(name));

/** What a row says of rates; its source and notes aside. */
const saidBy = (row: TextRow): string =>
  [...COMPARED.map((name) => row[name] ?? ''), Number(row.rate)].join('|');

const diffRows = (before: readonly TextRow[], after: readonly TextRow[]): ContentDiff => {
  const old = Map.groupBy(before, saidBy);
  const added = after.filter((row) => old.get(saidBy(row))?.shift() === undefined);
  return { added, removed: [...old.values()].flat() };
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
  const rows = csvRows(file);
  if (isNeutral(rows)) return parseNeutral(file, rows, content, existing);
  throw new ContentRefusedError(
    file.name,
    'no importer knows this layout; docs/content.md lists the layouts',
  );
};

const firstLineOf = async (file: OfferedFile): Promise<string> => {
  for await (const lines of lineBatches(file)) {
    const first = lines.find((line) => line.trim() !== '');
    if (first !== undefined) return first.replace(/\r$/, '');
  }
  return '';
};
