import { addDays, type CalendarDate, calendarDate } from '../../../kernel/calendar.ts';
import { ContentRefusedError } from '../content-error.ts';
import { type ContentFolder, openContentFolder } from '../content-folder.ts';
import { loadWholeContent } from '../load-content.ts';
import { type ContentDiff, diffRows } from './diff-rows.ts';
import { mergeRows } from './merge-rows.ts';
import { type OfferedFile, offeredFile } from './official-file.ts';
import { parseFile } from './parse-file.ts';
import type { ParsedFile } from './parsed-file.ts';
import { LOCAL_RATES, readRows, STATE_RATES, type TextRow } from './table-rows.ts';

/** An import that was worked out and not yet written. */
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
  /** The fewest rows of data that are taken; by default nine tenths of what the content has from such a file. */
  readonly rowFloor?: number | undefined;
};

/** Days after the end of its period for which a file still speaks of today. */
const CURRENT_DAYS = 366;
const FLOOR_SHARE = 0.9;
const CDTFA_FLOOR = 500;

/**
 * Read a file, hold it against the content, and work out what an import would change. Nothing is written.
 *
 * @throws {ContentRefusedError} when the file is damaged, of no known layout, or older than what was imported before
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
  const parsed = await parseFile(file, loadWholeContent(folderPath), localRates);
  checkFloor(file, parsed, localRates, folder, limits);
  checkAge(file, parsed, folder);
  const until = spokenUntil(parsed, folder);
  const tables = new Map<string, readonly TextRow[]>();
  const before = [...stateRates, ...localRates];
  const mergedState = mergeRows(stateRates, parsed.stateRates, parsed, until);
  const mergedLocal = mergeRows(localRates, parsed.localRates, parsed, until);
  if (parsed.stateRates.length > 0) tables.set(STATE_RATES, mergedState);
  if (parsed.localRates.length > 0) tables.set(LOCAL_RATES, mergedLocal);
  const warnings = [...parsed.warnings];
  if (until !== undefined)
    warnings.push(`The file is of an earlier time: it was taken for the days up to ${until}.`);
  return { folder, file, parsed, tables, diff: diffRows(before, [...mergedState, ...mergedLocal]), warnings };
};

/** The last day of which an old file speaks; `undefined` for a file of the present. */
const spokenUntil = (parsed: ParsedFile, folder: ContentFolder): string | undefined => {
  if (parsed.kind !== 'sst-rates' || parsed.period === undefined) return undefined;
  const stillCurrent = addDays(calendarDate(parsed.period.last), CURRENT_DAYS);
  return stillCurrent < (folder.manifest.date as CalendarDate) ? parsed.period.last : undefined;
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
  const last = folder.manifest.imports?.findLast(
    ({ kind, state }) => kind === parsed.kind && state === parsed.state,
  );
  if (parsed.kind === 'neutral') return 1;
  if (last) return Math.ceil(last.rows * FLOOR_SHARE);
  if (parsed.kind === 'cdtfa') return CDTFA_FLOOR;
  if (parsed.kind !== 'sst-rates') return 1;
  const known = localRates.filter(
    (row) =>
      row['state'] === parsed.state && row['tax'] === 'general' && row['confidence'] === 'official-file',
  );
  return Math.ceil(known.length * FLOOR_SHARE);
};

/** A file must not be older than the last one of its kind and state. */
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
