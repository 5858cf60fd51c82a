import type { BoundaryRecord } from '../boundaries.ts';
import { ContentDamagedError, type ContentFolder, readTable } from '../content-folder.ts';
import { placeKey } from '../place-lookup.ts';
import { OPEN_END } from '../tax-content.ts';
import { dayAfter, dayBefore } from './official-file.ts';

/** The days that a file is for; the last one is `OPEN_END` where it does not say for how long its rates hold. */
export type FilePeriod = { readonly label: string; readonly first: string; readonly last: string };

/** A part of a row that a file replaces. */
export type Replaced = {
  /** The days, both included; an empty first day is all days before. */
  readonly from: string;
  readonly to: string;
  /** The row of the file whose area is replaced; absent where the file speaks for the whole row. */
  readonly by?: TextRow;
};

/** What a file replaces that speaks for a row from a day on; an empty day is all days. */
export const replacedFrom = (from: string): readonly Replaced[] => [{ from, to: OPEN_END }];

/** The content of an official file, as rows of content tables. */
export type ParsedFile = {
  /** The name of its layout. */
  readonly kind: string;
  /** Postal code; empty for a neutral file, which can name several. */
  readonly state: string;
  readonly period: FilePeriod | undefined;
  /** Rows of data that were read. */
  readonly rows: number;
  readonly stateRates: readonly TextRow[];
  readonly localRates: readonly TextRow[];
  /** The records of a boundary file, in batches; each call starts from the first. */
  readonly boundaries?: () => AsyncIterable<readonly BoundaryRecord[]>;
  /** The first day of the records of a boundary file. */
  readonly boundariesSince?: string;
  /** List the parts of a row of the content that the file replaces; none of a row that the file does not concern. */
  readonly replaces: (row: TextRow) => readonly Replaced[];
  /** Whether the file shows a row that it does not replace to be in force still, on its first day. */
  readonly confirms?: (row: TextRow) => boolean;
  readonly warnings: readonly string[];
};

/** A row of a content table as text, by column. */
export type TextRow = Readonly<Record<string, string>>;

export const LOCAL_RATES = 'local-rates.tsv';
export const STATE_RATES = 'state-rates.tsv';

/** The columns of the tables that imports write. */
export const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  [LOCAL_RATES]: [
    'state',
    'level',
    'code',
    'name',
    'tax',
    'scope',
    'counties',
    'places',
    'except_places',
    'rate',
    'from',
    'to',
    'source',
    'confidence',
    'seen',
    'note',
  ],
  [STATE_RATES]: ['state', 'rate', 'from', 'to', 'known_since', 'source', 'confidence'],
};

const columnsOf = (table: string): readonly string[] => COLUMNS[table] ?? [];

/** Read a table as text. */
export const readRows = (folder: ContentFolder, table: string): TextRow[] => {
  const columns = columnsOf(table);
  return readTable(folder, table, ({ cell }) =>
    Object.fromEntries(columns.map((column) => [column, cell(column)])),
  );
};

/** Write a table as text. @throws {ContentDamagedError} when a cell contains a tab or a line end */
export const rowsText = (table: string, rows: readonly TextRow[]): string => {
  const columns = columnsOf(table);
  const lines = rows.map((row) => columns.map((column) => row[column] ?? '').join('\t'));
  const broken = lines.findIndex((line) => line.split('\t').length !== columns.length || line.includes('\n'));
  if (broken >= 0)
    throw new ContentDamagedError(`${table}:${broken + 2}`, 'a cell holds a tab or a line end');
  return `${[columns.join('\t'), ...lines].join('\n')}\n`;
};

export const endOf = (row: TextRow): string => row['to'] || OPEN_END;
export const beginOf = (row: TextRow): string => row['from'] ?? '';

/** Whether a row is a rate of a state itself. In the table of such rates, a row has no level. */
export const isOfState = (row: TextRow): boolean => row['level'] === undefined || row['level'] === 'state';

/** What rows of different taxes can share: several districts of a county can have its code. */
export const codeKey = (row: TextRow): string =>
  isOfState(row)
    ? `${row['state']} state`
    : `${row['state']} ${row['level']} ${row['code']} ${row['tax'] || 'general'}`;

/** Returns a row with its days before a day; an empty list if it has no such days. */
const before = (row: TextRow, day: string): TextRow[] => {
  if (beginOf(row) >= day) return [];
  return [endOf(row) < day ? row : { ...row, to: dayBefore(day) }];
};

/** Returns a row with its days after a day; an empty list if it has no such days. */
const after = (row: TextRow, day: string): TextRow[] => {
  if (endOf(row) <= day) return [];
  return [beginOf(row) > day ? row : { ...row, from: dayAfter(day) }];
};

/** Keep the days of a row up to a day, that day included. */
export const upTo = (row: TextRow, day: string): TextRow[] => before(row, dayAfter(day));

/** A row of a local rate, divided by the area of another row. */
type DividedRow = {
  /** The part within the area; `undefined` if they have none in common. */
  readonly inside: TextRow | undefined;
  readonly outside: readonly TextRow[];
};

/** Whether two rows of one tax hold at some address both, on days that they share. */
export const sharesArea = (row: TextRow, other: TextRow): boolean => divided(row, other).inside !== undefined;

/** Whether it is not known where a row holds; of a rate of a state, no row says it. */
const isUnmapped = (row: TextRow): boolean => (row['scope'] ?? 'unmapped') === 'unmapped';

/**
 * Divide a row by the area of another row of the same tax. A row without a known area is taken to be all inside, and so
 * is one of whole counties by the land outside of their cities: no row can have its cities alone.
 */
const divided = (row: TextRow, other: TextRow): DividedRow => {
  if (isUnmapped(row) || isUnmapped(other)) return { inside: row, outside: [] };
  const counties = listed(row, 'counties');
  const shared = counties.filter((county) => listed(other, 'counties').includes(county));
  if (shared.length === 0) return { inside: undefined, outside: [row] };
  const { inside, outside } = dividedByPlaces({ ...row, counties: shared.join(' ') }, other);
  if (!inside) return { inside, outside: [row] };
  const rest = counties.filter((county) => !shared.includes(county));
  return {
    inside,
    outside: rest.length === 0 ? outside : [{ ...row, counties: rest.join(' ') }, ...outside],
  };
};

const NONE = { inside: undefined, outside: [] };

/** List what is left of a row beside a part of it that is replaced. */
export const leftOf = (row: TextRow, { from, to, by }: Replaced, until = to): TextRow[] => {
  if (endOf(row) < from || beginOf(row) > until) return [row];
  const { inside, outside } = by ? divided(row, by) : { inside: row, outside: [] };
  if (!inside) return [row];
  return [...outside, ...before(inside, from), ...after(inside, until)];
};

/** A part of the area of a row, and the last day of a file there; `undefined` where it has none. */
type SpokenPart = { readonly part: TextRow; readonly last: string | undefined };

/**
 * Returns a function that divides a row by the last day that a file covers. Each tax of a file ends before the later rate
 * that the content has of it. A Streamlined file has the codes of the content; in another file, what it has at the level
 * of that rate, or at all levels where it does not have this one, is the same tax in the places of both.
 */
export const partsSpoken = (
  { kind, localRates }: ParsedFile,
  later: readonly TextRow[],
  until: string | undefined,
): ((row: TextRow) => readonly SpokenPart[]) => {
  const levels = new Set(localRates.map(({ level }) => level));
  const isOneTax = (row: TextRow, other: TextRow): boolean => {
    if (codeKey(row) === codeKey(other)) return true;
    if (kind === 'sst-rates' || isUnmapped(row) || isUnmapped(other)) return false;
    return row['level'] === other['level'] || !levels.has(other['level']);
  };
  return (row) =>
    later.reduce(
      (parts: readonly SpokenPart[], next) =>
        parts.flatMap(({ part, last }) => {
          const before = dayBefore(beginOf(next));
          if ((last ?? endOf(part)) <= before || !isOneTax(part, next)) return [{ part, last }];
          const { inside, outside } = divided(part, next);
          return [
            ...outside.map((each) => ({ part: each, last })),
            ...(inside ? [{ part: inside, last: before }] : []),
          ];
        }),
      [{ part: row, last: until }],
    );
};

/** Divide a row within the counties of both. */
const dividedByPlaces = (row: TextRow, other: TextRow): DividedRow => {
  const named = listed(other, other['scope'] === 'place' ? 'places' : 'except_places');
  switch (`${row['scope']} by ${other['scope']}`) {
    case 'place by place':
      return ofPlaces(row, common(listed(row, 'places'), named), without(listed(row, 'places'), named));
    case 'place by county':
      return ofPlaces(row, without(listed(row, 'places'), named), common(listed(row, 'places'), named));
    case 'county by place': {
      const excepted = listed(row, 'except_places');
      const taken = without(named, excepted);
      const rest = { ...row, except_places: [...excepted, ...taken].join(';') };
      return taken.length === 0 ? NONE : { inside: inPlaces(row, taken), outside: [rest] };
    }
    case 'county by county': {
      const left = without(named, listed(row, 'except_places'));
      return { inside: row, outside: left.length === 0 ? [] : [inPlaces(row, left)] };
    }
    case 'place by unincorporated':
    case 'unincorporated by place':
      return NONE;
    default:
      return { inside: row, outside: [] };
  }
};

const ofPlaces = (row: TextRow, inside: readonly string[], outside: readonly string[]): DividedRow => ({
  inside: inside.length === 0 ? undefined : inPlaces(row, inside),
  outside: outside.length === 0 ? [] : [inPlaces(row, outside)],
});

const inPlaces = (row: TextRow, places: readonly string[]): TextRow => ({
  ...row,
  scope: 'place',
  places: places.join(';'),
  except_places: '',
});

const SEPARATORS = { counties: ' ', places: ';', except_places: ';' } as const;

const listed = (row: TextRow, column: keyof typeof SEPARATORS): readonly string[] =>
  (row[column] ?? '').split(SEPARATORS[column]).filter((name) => name !== '');

const keys = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(placeKey));

const common = (names: readonly string[], others: readonly string[]): readonly string[] =>
  names.filter((name) => keys(others).has(placeKey(name)));

const without = (names: readonly string[], others: readonly string[]): readonly string[] =>
  names.filter((name) => !keys(others).has(placeKey(name)));
