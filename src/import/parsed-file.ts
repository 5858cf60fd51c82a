import type { BoundaryRecord } from '../content/boundaries.ts';
import { ContentDamagedError, type ContentFolder, OPEN_END, readTable } from '../content/content-folder.ts';
import { placeKey } from '../content/region-names.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { dayAfter, dayBefore } from './official-file.ts';

/** Days of rows that a file replaces, both included; an empty first day is all days before. */
export type Days = { readonly from: string; readonly to: string };

/** The content of an official file, as rows of content tables. */
export type ParsedFile = {
  /** The name of its layout. */
  readonly kind: string;
  /** Postal code; empty for a neutral file, which can name several. */
  readonly state: string;
  /** The days that it is for. */
  readonly period: FilingPeriod | undefined;
  /** Rows of data that were read. */
  readonly rows: number;
  /** The rates of states and of places. */
  readonly rates: readonly TextRow[];
  /** The records of a boundary file, in batches; each call starts from the first. */
  readonly boundaries?: () => AsyncIterable<readonly BoundaryRecord[]>;
  /** List the days of a row of the content that the file replaces; none of a row that the file does not concern. */
  readonly replaces: (row: TextRow) => readonly Days[];
  readonly warnings: readonly string[];
};

/** A row of a content table as text, by column. */
export type TextRow = { readonly [Column in (typeof COLUMNS)[Table][number]]?: string };

export const LOCAL_RATES = 'local-rates.tsv';
export const STATE_RATES = 'state-rates.tsv';

/** The columns of the tables that imports write. */
export const COLUMNS = {
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
} as const;

/** The name of a table that imports write. */
export type Table = keyof typeof COLUMNS;

/** Read a table as text. */
export const readRows = (folder: ContentFolder, table: Table): TextRow[] =>
  readTable(folder, table, ({ cell }) =>
    Object.fromEntries(COLUMNS[table].map((column) => [column, cell(column)])),
  );

/** Write a table as text. @throws {ContentDamagedError} when a cell contains a tab or a line end */
export const rowsText = (table: Table, rows: readonly TextRow[]): string => {
  const columns = COLUMNS[table];
  const lines = rows.map((row) => columns.map((column) => row[column] ?? '').join('\t'));
  const broken = lines.findIndex((line) => line.split('\t').length !== columns.length || line.includes('\n'));
  if (broken >= 0)
    throw new ContentDamagedError(`${table}:${broken + 2}`, 'a cell holds a tab or a line end');
  return `${[columns.join('\t'), ...lines].join('\n')}\n`;
};

export const endOf = (row: TextRow): string => row.to || OPEN_END;
export const beginOf = (row: TextRow): string => row.from ?? '';

/** Whether a row is a rate of a state itself. In the table of such rates, a row has no level. */
export const isOfState = (row: TextRow): boolean => row.level === undefined || row.level === 'state';

/** What rows of different taxes can share: several districts of a county can have its code. */
export const codeKey = (row: TextRow): string =>
  isOfState(row) ? `${row.state} state` : `${row.state} ${row.level} ${row.code} ${row.tax || 'general'}`;

/** Keep the days of a row up to a day, that day included; an empty list if it has no such days. */
export const upTo = (row: TextRow, day: string): TextRow[] => {
  if (beginOf(row) > day) return [];
  return [endOf(row) <= day ? row : { ...row, to: day }];
};

/** List what is left of a row on the other days than these. */
export const outside = (row: TextRow, { from, to }: Days): TextRow[] => [
  ...(from === '' ? [] : upTo(row, dayBefore(from))),
  ...(endOf(row) > to ? [beginOf(row) > to ? row : { ...row, from: dayAfter(to) }] : []),
];

const SEPARATORS = { counties: ' ', places: ';', except_places: ';' } as const;

const listed = (row: TextRow, column: keyof typeof SEPARATORS): readonly string[] =>
  (row[column] ?? '')
    .split(SEPARATORS[column])
    .filter((name) => name !== '')
    .map(placeKey);

/** Whether two rows have the same area, in other words too; a rate of a state has no other. */
export const isSameArea = (row: TextRow, other: TextRow): boolean => areaKey(row) === areaKey(other);

const areaKey = (row: TextRow): string => {
  if (isOfState(row)) return 'state';
  const names = (['counties', 'places', 'except_places'] as const).map((column) =>
    listed(row, column).toSorted().join(),
  );
  return [row.scope, ...names].join('|');
};

/** Whether some address may be in the areas of both rows. A row without a known area may be anywhere. */
export const sharesArea = (row: TextRow, other: TextRow): boolean => {
  if (isSameArea(row, other) || isUnmapped(row) || isUnmapped(other)) return true;
  if (!shares(row, other, 'counties')) return false;
  const scopes = new Set([row.scope, other.scope]);
  if (scopes.has('unincorporated')) return !scopes.has('place');
  const [place, county] = row.scope === 'place' ? [row, other] : [other, row];
  if (place.scope !== 'place') return true;
  if (county.scope === 'place') return shares(place, county, 'places');
  return listed(place, 'places').some((name) => !listed(county, 'except_places').includes(name));
};

const isUnmapped = (row: TextRow): boolean => row.scope === 'unmapped';

const shares = (row: TextRow, other: TextRow, column: keyof typeof SEPARATORS): boolean =>
  listed(row, column).some((name) => listed(other, column).includes(name));
