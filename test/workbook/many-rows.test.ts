import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { money } from '../../src/kernel/money.ts';
import { defineSheet, streamed } from '../../src/workbook/sheet.ts';
import { writeWorkbook } from '../../src/workbook/write-workbook.ts';
import { storedCells } from '../support/stored-cells.ts';
import { demoWorkbook } from './demo-workbook.ts';
import { temporaryFolder } from './temporary-folder.ts';

const at = temporaryFolder();
const { properties } = demoWorkbook([]);

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

beforeAll(() =>
  writeWorkbook(at('many.xlsx'), { properties, sheets: [streamed(sheet, { count: COUNT, pages: pages() })] }),
);

test('every cell of many rows holds its own value, whether it came before or not', async () => {
  const held = new Map((await storedCells(at('many.xlsx'))).map(({ place, value }) => [place, value]));
  const wrong = rows.flatMap((row) =>
    COLUMNS.filter(([, value], column) => {
      const expected = value(row);
      const stored = held.get(`Many!${'ABCDEF'[column]}${row + 4}`);
      return stored !== (typeof expected === 'number' ? expected / 100 : expected);
    }).map(([title]) => `${title} ${row}`),
  );
  expect(wrong).toEqual([]);
});

test('the headers of the package state the sizes and checksums of its parts', async () => {
  const archive = await fromBufferPromise(await readFile(at('many.xlsx')), { lazyEntries: true });
  const sizes: number[] = [];
  for await (const entry of archive.eachEntry()) {
    const content = await buffer(await archive.openReadStreamPromise(entry));
    expect([entry.uncompressedSize, entry.crc32]).toEqual([content.length, crc32(content)]);
    sizes.push(content.length);
  }
  expect(Math.max(...sizes)).toBeGreaterThan(1_000_000);
});
