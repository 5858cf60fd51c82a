import { ContentDamagedError } from '../content-error.ts';
import type { ContentFolder } from '../content-folder.ts';
import { readTable } from '../content-table.ts';

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
