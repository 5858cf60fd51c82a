import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import { DefectError } from '../../src/kernel/errors.ts';
import { sha256 } from '../../src/kernel/json.ts';
import { money } from '../../src/kernel/money.ts';
import { type Column, defineSheet, filled, stacked, streamed } from '../../src/workbook/sheet.ts';
import { type Sheet, writeWorkbook } from '../../src/workbook/write-workbook.ts';
import { bookFaults } from '../support/book-faults.ts';
import { workbookTables } from '../support/sheets.ts';
import { storedCells } from '../support/stored-cells.ts';
import { byState, demoSales, demoWorkbook, detail, summarise } from './demo-workbook.ts';
import { temporaryFolder } from './temporary-folder.ts';

const at = temporaryFolder();
const { properties } = demoWorkbook([]);
const ID: Column<string> = { title: 'Id', width: 8, format: 'text', value: (id) => id };

const digestOf = async (sales: number): Promise<string> => {
  await writeWorkbook(at('again.xlsx'), demoWorkbook(demoSales(sales)));
  return sha256(await readFile(at('again.xlsx')));
};

const open = async (path: string) => {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(path);
  return workbook;
};

describe('a workbook', () => {
  test('has several tables on a sheet, each with its own name', async () => {
    const rows = summarise(demoSales(9));
    const stack = stacked(filled(byState, rows), [
      filled({ ...byState, table: 'Again' }, rows),
      filled({ ...byState, table: 'Empty' }, []),
    ]);
    const sheets = [stack, streamed(detail, { count: 9, pages: [demoSales(9)] })];
    await writeWorkbook(at('stack.xlsx'), { properties, sheets });
    const tables = await workbookTables(at('stack.xlsx'));
    const own = ['By_state', 'Again', 'Empty'].map((name) => tables.get(name));
    expect(own.map((table) => [table?.sheet, table?.rows.length])).toEqual([
      ['By state', 4],
      ['By state', 4],
      ['By state', 1],
    ]);
    const worksheet = (await open(at('stack.xlsx'))).getWorksheet('By state');
    // No header of one table stays above the rows of another.
    expect(worksheet?.views[0]).toMatchObject({ state: 'frozen', xSplit: 1, ySplit: 0 });
  });

  test('can be read by its owner alone', async () => {
    await writeWorkbook(at('owned.xlsx'), demoWorkbook(demoSales(5)));
    expect((await stat(at('owned.xlsx'))).mode & 0o777).toBe(0o600);
  });

  test('is the same to the byte when it is written again, in whatever time zone', async () => {
    const zone = process.env['TZ'];
    try {
      const digests: string[] = [];
      for (const each of ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles']) {
        process.env['TZ'] = each;
        digests.push(await digestOf(20));
      }
      expect(new Set(digests).size).toBe(1);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
    expect(await digestOf(21)).not.toBe(await digestOf(20));
  });

  test('takes its rows from a source that passes by once', async () => {
    const source = async function* () {
      for (const sale of demoSales(3)) yield await Promise.resolve([sale]);
    };
    await writeWorkbook(at('async.xlsx'), {
      properties,
      sheets: [streamed(detail, { count: 3, pages: source() })],
    });
    const ids = (await storedCells(at('async.xlsx'))).filter(({ place }) => /^Detail!A[456]$/.test(place));
    expect(ids.map(({ value }) => value)).toEqual(['00001000', '00001001', '00001002']);
  });
});

test('a workbook says who made it and when, as stated', async () => {
  await writeWorkbook(at('made.xlsx'), demoWorkbook(demoSales(5)));
  expect(await open(at('made.xlsx'))).toMatchObject({
    title: 'Demonstration of October 2026',
    creator: 'tieout 0.1.0',
    lastModifiedBy: 'tieout 0.1.0',
    created: new Date('2026-11-01T00:00:00Z'),
    modified: new Date('2026-11-01T00:00:00Z'),
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

  test.for([
    ['money', Number.NaN, 'not a number'],
    ['money', Number.POSITIVE_INFINITY, 'without end'],
    ['money', 10.5, 'half a cent'],
    ['money', 10n, 'a big integer'],
    ['count', 1.5, 'no whole number'],
    ['count', '7', 'text in place of a number'],
    ['rate', Number.NaN, 'not a rate'],
    ['date', '2026-02-30x', 'no day'],
    ['text', 7, 'a number in place of text'],
  ] as const)('%s %s (%s)', async ([format, wrong]) => {
    const sheet = streamed(sheetOf({ format, value }), { count: 1, pages: [[{ id: 'a', value: wrong }]] });
    const file = at('refused.xlsx');
    await expect(writeWorkbook(file, { properties, sheets: [sheet] })).rejects.toThrow(/Data!B4 \(Value\)/);
    expect(existsSync(file)).toBe(false);
  });

  test('a row that nothing identifies', async () => {
    const sheets = [filled(sheetOf({ format: 'text', value: () => 'x' }), [{ value: 1 }])];
    await expect(writeWorkbook(at('refused.xlsx'), { properties, sheets })).rejects.toThrow(/Data!A4 \(Id\)/);
  });

  test.for([
    [2, 'only 1 came'],
    [0, 'more came'],
  ] as const)('a table that was to have %i rows, when %s', async ([count, message]) => {
    const rows = [{ id: 'a', value: 'x' }];
    const sheets = [streamed(sheetOf({ format: 'text', value }), { count, pages: [rows] })];
    await expect(writeWorkbook(at('refused.xlsx'), { properties, sheets })).rejects.toThrow(message);
  });

  test('a failure of the source of the rows', async () => {
    // biome-ignore lint/correctness/useYield: this source fails before its first row.
    const pages = async function* (): AsyncGenerator<readonly Row[]> {
      throw new Error('the database is gone');
    };
    const sheets = [streamed(sheetOf({ format: 'text', value }), { count: 1, pages: pages() })];
    await expect(writeWorkbook(at('refused.xlsx'), { properties, sheets })).rejects.toThrow(
      'the database is gone',
    );
    expect(existsSync(at('refused.xlsx'))).toBe(false);
  });

  test('a total that is no longer exact', async () => {
    const rows = Array.from({ length: 3 }, (_, index) => ({
      id: String(index),
      value: money(Number.MAX_SAFE_INTEGER),
    }));
    const sheets = [streamed(sheetOf({ format: 'money', value, total: 'sum' }), { count: 3, pages: [rows] })];
    await expect(writeWorkbook(at('refused.xlsx'), { properties, sheets })).rejects.toThrow(DefectError);
  });

  test('more rows than a sheet has', async () => {
    const sheets = [
      streamed(sheetOf({ format: 'text', value }), { count: 1_048_576, pages: [[{ id: 'a', value: 'x' }]] }),
    ];
    await expect(writeWorkbook(at('refused.xlsx'), { properties, sheets })).rejects.toThrow('too many rows');
  });

  test.for<[string, Column<string>]>([
    ['a computed word in a text cell', { ...ID, formula: () => '"x"' }],
    ['a formula over a table that is not there', { ...ID, formula: (refer) => refer.sum('Nowhere', 'Tax') }],
  ])('%s', async ([, column]) => {
    const sheets = [filled(defineSheet<string>({ name: 'Data', columns: [column] }), ['a'])];
    await expect(writeWorkbook(at('refused.xlsx'), { properties, sheets })).rejects.toThrow(DefectError);
  });
});

describe('what Excel would not find or refuse in a book is found', () => {
  const faultsOf = async (...sheets: Sheet[]) => {
    await writeWorkbook(at('faults.xlsx'), { properties, sheets });
    return bookFaults(at('faults.xlsx'));
  };
  const count = (formula: string): Column<string> => ({
    title: 'Count',
    width: 8,
    format: 'count',
    value: () => 1,
    formula: () => formula,
  });
  const data = (columns: readonly Column<string>[], table = 'Data') =>
    filled(defineSheet<string>({ name: table, table, columns }), ['a']);

  test.for<[string, Column<string>[], string]>([
    ['a misspelt column', [ID, count('SUM(Data[Cuont])')], 'a formula refers to Data[Cuont]'],
    ['a misspelt name', [ID, count('1+VERDIKT')], 'a formula refers to VERDIKT'],
    ['a title that needs escaping', [ID, { ...ID, title: 'Row #' }], 'Data has a title Row #'],
    ['one title twice', [ID, { ...ID, title: 'id' }], 'Data has two columns id'],
  ])('%s', async ([, columns, fault]) => {
    expect(await faultsOf(data(columns))).toContain(fault);
  });

  test('a name that is a cell, and one that is taken', async () => {
    expect(
      await faultsOf(data([ID], 'TX1'), data([ID], 'Rows'), { ...data([ID], 'rows_'), table: 'ROWS' }),
    ).toEqual(['nothing can be called TX1', 'two things are called ROWS']);
  });
});
