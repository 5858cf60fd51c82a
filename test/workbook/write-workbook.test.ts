import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { instant } from '../../src/kernel/calendar.ts';
import { DefectError } from '../../src/kernel/errors.ts';
import { sha256 } from '../../src/kernel/json.ts';
import { money } from '../../src/kernel/money.ts';
import { type Column, defineSheet, type FilledSheet, filled, streamed } from '../../src/workbook/sheet.ts';
import { spreadsheetText, textEnd } from '../../src/workbook/text.ts';
import { writeWorkbook } from '../../src/workbook/write-workbook.ts';
import { bookFaults } from '../support/book-faults.ts';
import { storedCells } from '../support/stored-cells.ts';
import { sharedFolder } from '../support/tieout.ts';

const folder = sharedFolder();
const at = (name: string): string => join(folder, name);
const properties = { title: 'A book', creator: 'tieout', created: instant(Date.UTC(2026, 10, 1)) };
const write = async (name: string, ...sheets: FilledSheet[]): Promise<void> => {
  await writeWorkbook(at(name), { properties, sheets: sheets.map((table) => [table]) });
};
const ID: Column<string> = { title: 'Id', width: 8, format: 'text', value: (id) => id };

describe('many rows', () => {
  const COUNT = 12_000;
  const WORDS = ['tied out', ' <b> & "quoted"', '', 'ünïcode \u{1f600}', '_x0041_'];
  /** The values of a row: its place in the table, and what follows from it. */
  const COLUMNS: readonly (readonly [string, (row: number) => string | number | undefined])[] = [
    ['Id', (row) => `00${row}`],
    ['Word', (row) => WORDS[row % WORDS.length] || undefined],
    ['Seldom again', (row) => `text ${row % 5_000}`],
    ['Never again', (row) => `only ${row}`],
    ['Often', (row) => (row % 90) - 45],
    ['Never', (row) => row * 1_013],
  ];
  const rows = Array.from({ length: COUNT }, (_, row) => row);
  function* pages(): Generator<readonly number[]> {
    for (let from = 0; from < COUNT; from += 700) yield rows.slice(from, from + 700);
  }
  const sheet = defineSheet<number>({
    name: 'Many',
    columns: COLUMNS.map(([title, value], index) => ({
      title,
      width: 12,
      ...(index < 4
        ? { format: 'text' as const, value: (row: number) => value(row) as string | undefined }
        : { format: 'money' as const, value: (row: number) => money(value(row) as number) }),
      flag: (row: number) => (row % 7 === 0 ? 'attention' : undefined),
    })),
  });

  test('stand each in its cells, in a package that states its sizes and checksums, for its owner alone', async () => {
    await write('many.xlsx', streamed(sheet, { count: COUNT, pages: pages() }));
    const held = new Map((await storedCells(at('many.xlsx'))).map(({ place, value }) => [place, value]));
    const wrong = rows.flatMap((row) =>
      COLUMNS.filter(([, value], column) => {
        const expected = value(row);
        const stored = held.get(`Many!${'ABCDEF'[column]}${row + 4}`);
        return stored !== (typeof expected === 'number' ? expected / 100 : expected);
      }).map(([title]) => `${title} ${row}`),
    );
    expect(wrong).toEqual([]);
    expect((await stat(at('many.xlsx'))).mode & 0o777).toBe(0o600);
    const archive = await fromBufferPromise(await readFile(at('many.xlsx')), { lazyEntries: true });
    const sizes: number[] = [];
    for await (const entry of archive.eachEntry()) {
      const content = await buffer(await archive.openReadStreamPromise(entry));
      expect([entry.uncompressedSize, entry.crc32]).toEqual([content.length, crc32(content)]);
      sizes.push(content.length);
    }
    expect(Math.max(...sizes)).toBeGreaterThan(1_000_000);
  });
});

test('a workbook is the same to the byte when it is written again, in whatever time zone', async () => {
  const zone = process.env['TZ'];
  const digests = new Set<string>();
  try {
    for (const each of ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles']) {
      process.env['TZ'] = each;
      await write('again.xlsx', filled(defineSheet<string>({ name: 'Again', columns: [ID] }), ['a', 'b']));
      digests.add(sha256(await readFile(at('again.xlsx'))));
    }
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
  expect(digests.size).toBe(1);
});

describe('a text of a cell', () => {
  test('never breaks out of its cell, and can be read back whole', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const xml = textEnd(text);
        const content = /^ t="inlineStr"><is><t[^<>]*>([^<>]*)<\/t><\/is><\/c>$/s.exec(xml)?.[1];
        const marks: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
        const characters = (content ?? '')
          .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => marks[name] ?? '')
          .replace(/_x([0-9A-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
        expect(characters).toBe(text.toWellFormed());
        if (/^\s|\s$|\s\s/.test(text)) expect(xml).toContain('xml:space="preserve"');
      }),
    ));

  test('that is too long says that it was cut', () => {
    const cut = spreadsheetText('x'.repeat(32_768));
    expect(cut).toHaveLength(32_767);
    expect(cut).toMatch(/x \[cut: a cell holds 32,767 characters\]$/);
  });
});

describe('what cannot be written right is not written', () => {
  type Row = {
    readonly id?: string;
    readonly value: unknown;
  };
  const sheetOf = (column: object) =>
    defineSheet<Row>({
      name: 'Data',
      columns: [
        { title: 'Id', width: 8, format: 'id', value: ({ id }) => id },
        { title: 'Value', width: 8, ...column } as Column<Row>,
      ],
    });
  const value = ({ value }: Row) => value;
  const text = sheetOf({ format: 'text', value });
  const row = { id: 'a', value: 'x' };
  const withColumn = (column: Column<string>) =>
    filled(defineSheet<string>({ name: 'Data', columns: [column] }), ['a']);
  const largest = Array.from({ length: 3 }, (_, index) => ({
    id: String(index),
    value: money(Number.MAX_SAFE_INTEGER),
  }));

  const wrongCells = [
    ['money', Number.NaN],
    ['money', Number.POSITIVE_INFINITY],
    ['money', 10.5],
    ['money', 10n],
    ['count', 1.5],
    ['count', '7'],
    ['rate', Number.NaN],
    ['date', '2026-02-30x'],
    ['text', 7],
  ] as const;
  test.for<readonly [what: string, sheet: FilledSheet, problem: RegExp | typeof DefectError]>([
    ...wrongCells.map(
      ([format, wrong]) =>
        [
          `${typeof wrong} ${wrong} as ${format}`,
          streamed(sheetOf({ format, value }), { count: 1, pages: [[{ id: 'a', value: wrong }]] }),
          /Data!B4 \(Value\)/,
        ] as const,
    ),
    ['a row that nothing identifies', filled(text, [{ value: 'x' }]), /Data!A4 \(Id\)/],
    ['fewer rows than were to come', streamed(text, { count: 2, pages: [[row]] }), /only 1 came/],
    ['more rows than were to come', streamed(text, { count: 0, pages: [[row]] }), /more came/],
    ['more rows than a sheet has', streamed(text, { count: 1_048_576, pages: [[row]] }), /too many rows/],
    [
      'a total that is no longer exact',
      streamed(sheetOf({ format: 'money', value, total: 'sum' }), { count: 3, pages: [largest] }),
      DefectError,
    ],
    ['a computed word in a text cell', withColumn({ ...ID, formula: () => '"x"' }), DefectError],
    [
      'a formula over a table that is not there',
      withColumn({ ...ID, formula: (refer) => refer.sum('Nowhere', 'Tax') }),
      DefectError,
    ],
  ])('%s', async ([, sheet, problem]) => {
    await expect(write('refused.xlsx', sheet)).rejects.toThrow(problem);
    expect(existsSync(at('refused.xlsx'))).toBe(false);
  });
});

test('what Excel would not find or refuse in a book is found', async () => {
  const data = (columns: readonly Column<string>[], table: string) =>
    filled(defineSheet<string>({ name: table, table, columns }), ['a']);
  const sum: Column<string> = {
    title: 'Count',
    width: 8,
    format: 'count',
    value: () => 1,
    formula: () => 'SUM(Data[Cuont])+VERDIKT',
  };
  await write(
    'faults.xlsx',
    data([ID, sum, { ...ID, title: 'Row #' }, { ...ID, title: 'id' }], 'Data'),
    ...['TX1', 'Rows'].map((table) => data([ID], table)),
    { ...data([ID], 'rows_'), table: 'ROWS' },
  );
  expect(await bookFaults(at('faults.xlsx'))).toEqual(
    expect.arrayContaining([
      'a formula refers to Data[Cuont]',
      'a formula refers to VERDIKT',
      'Data has a title Row #',
      'Data has two columns id',
      'nothing can be called TX1',
      'two things are called ROWS',
    ]),
  );
});
