import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

/** A file as its rows: prose before the header, the header, and what follows. */
export type Table = {
  readonly before: readonly string[][];
  readonly rows: readonly string[][];
};

type Damage = {
  readonly about: string;
  /** What the damage does to the rows, and to the text that they become. */
  readonly rows?: (table: Table) => Table;
  readonly text?: (text: string) => string | Buffer;
  readonly delimiter?: string;
  readonly quoted?: boolean;
  /** Profiles whose columns mean something by their order, or whose framing would not be done such a thing. */
  readonly not?: readonly string[];
  /** Records that the damage adds. */
  readonly adds?: readonly string[];
};

const eachRow =
  (change: (row: string[], index: number) => string[]) =>
  ({ before, rows }: Table): Table => ({ before, rows: rows.map(change) });

const utf16be = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();

/** What mail, browsers and spreadsheets do to a file without touching what it says. */
export const HARMLESS: readonly Damage[] = [
  { about: 'a byte order mark', text: (text) => `\uFEFF${text}` },
  { about: 'UTF-16, little end first', text: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le') },
  { about: 'UTF-16, big end first', text: utf16be },
  { about: 'ends of lines of Windows', text: (text) => text.replaceAll('\n', '\r\n') },
  { about: 'ends of lines of the old Macintosh', text: (text) => text.replaceAll('\n', '\r') },
  {
    about: 'ends of lines of all kinds',
    text: (text) =>
      text.split('\n').reduce((before, line, index) => `${before}${['\n', '\r\n', '\r'][index % 3]}${line}`),
  },
  { about: 'no end of the last line', text: (text) => text.trimEnd() },
  { about: 'semicolons', delimiter: ';' },
  { about: 'tabulators', delimiter: '\t' },
  { about: 'bars', delimiter: '|' },
  { about: 'quotes around every cell', quoted: true },
  {
    about: 'columns in another order',
    rows: eachRow((row) => [...row].reverse()),
    not: ['wix.orders', 'ebay.orders'],
  },
  {
    about: 'columns that no one knows',
    rows: eachRow((row, index) => (index === 0 ? ['Zodiac', ...row, ''] : ['Libra, or "Virgo"', ...row, ''])),
    not: ['ebay.orders'],
  },
  {
    about: 'line feeds in a cell',
    rows: eachRow((row, index) => [...row, index === 0 ? 'Gift note' : 'Dear\nAnn,\r\n"love"']),
    not: ['ebay.orders'],
  },
  {
    about: 'blank lines and lines of commas',
    rows: ({ before, rows }) => ({
      before: [...before, ['']],
      rows: rows.flatMap((row) => [row, row.map(() => ''), ['']]),
    }),
  },
  {
    about: 'prose before the header',
    rows: ({ before, rows }) => ({ before: [['Our shop, "October"'], ['as of', 'today'], ...before], rows }),
  },
  {
    about: 'blanks and hard blanks around cells',
    rows: eachRow((row) => row.map((cell) => ` ${cell}\u00a0`)),
  },
  {
    about: 'a header in other capitals and with other blanks',
    rows: eachRow((row, index) =>
      index === 0 ? row.map((cell) => cell.toUpperCase().replaceAll(' ', '  ')) : row,
    ),
  },
  {
    about: 'the header once more at the end',
    rows: ({ before, rows }) => ({ before, rows: [...rows, rows[0] ?? []] }),
    adds: ['- ignored repeated-header'],
  },
];

/** A text as rows, its header being the widest of them. */
export const tableOf = (text: string, headerLine: number): Table => {
  const all = parse(text, {
    relax_column_count: true,
    relax_quotes: true,
    bom: true,
    info: true,
  }) as unknown as readonly {
    readonly record: string[];
    readonly info: { readonly lines: number };
  }[];
  const rows = all.map(({ record }) => record);
  const header = all.findIndex(({ info }) => info.lines >= headerLine);
  return { before: rows.slice(0, header), rows: rows.slice(header) };
};

/** The bytes of a file with a damage done to it. */
export const damaged = (table: Table, damage: Damage): string | Buffer => {
  const { before, rows } = damage.rows?.(table) ?? table;
  const options = { delimiter: damage.delimiter ?? ',', quoted: damage.quoted ?? false };
  const text = stringify([...before, ...rows], options);
  return damage.text?.(text) ?? text;
};
