import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readPackage } from '../../../src/close/workbook/package-zip.ts';
import type { Picture } from '../../../src/close/workbook/picture.ts';
import { defineSheet, filled, streamed } from '../../../src/close/workbook/sheet.ts';
import { writeWorkbook } from '../../../src/close/workbook/write-workbook.ts';
import { recalculate, testWithLibreOffice, unconfirmed } from '../../support/libreoffice.ts';
import { demoWorkbook } from './demo-workbook.ts';
import { temporaryFolder } from './temporary-folder.ts';

const at = temporaryFolder();
const { properties } = demoWorkbook([]);

/** The texts of a package by path. */
const partsOf = async (path: string): Promise<ReadonlyMap<string, string>> => {
  const files = await readPackage(await readFile(path));
  return new Map([...files].map(([name, content]) => [name, content.toString()]));
};

/** One dark pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==',
  'base64',
);
const picture = (title: string, width = 100, height = 50): Picture => ({
  title,
  description: `The <figures> of ${title}`,
  width,
  height,
  png: async () => PNG,
});

type Row = { readonly name: string; readonly count: number };
const sheet = (name: string, pictures: readonly Picture[]) =>
  defineSheet<Row>({
    name,
    pictures,
    columns: [
      { title: 'Name', width: 10, format: 'text', value: (row) => row.name },
      {
        title: 'Count',
        width: 10,
        format: 'count',
        value: ({ count }) => count,
        total: 'sum',
        note: 'How many.',
      },
    ],
  });
const rows = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ name: `row ${index}`, count: index }));

describe('pictures of a table', () => {
  test('stand below its last row, one under the other, each with a page break and its words', async () => {
    const sheets = [filled(sheet('First', []), rows(2)), filled(sheet('Second', PAIR), rows(3))];
    await writeWorkbook(at('pictures.xlsx'), { properties, sheets });
    const parts = await partsOf(at('pictures.xlsx'));
    const drawing = parts.get('xl/drawings/drawing1.xml') ?? '';
    // Title, blank row, header, three rows and the total are seven rows; one stays free, and two below the break.
    expect([...drawing.matchAll(/<xdr:row>(\d+)</g)].map(([, row]) => Number(row))).toEqual([10, 16]);
    expect(drawing).toContain('name="one" descr="The &lt;figures&gt; of one"');
    expect(drawing).toContain('name="two" descr="The &lt;figures&gt; of two"');
    const second = parts.get('xl/worksheets/sheet2.xml') ?? '';
    expect([...second.matchAll(/<brk id="(\d+)"/g)].map(([, row]) => Number(row))).toEqual([8, 14]);
    expect(second).toMatch(/<drawing [^>]*\/><legacyDrawing [^>]*\/><tableParts/);
    expect(parts.has('xl/drawings/drawing2.xml')).toBe(false);
  });

  test('have no header above them on paper where one page holds the table', async () => {
    const headersOf = async (count: number): Promise<readonly (string | undefined)[]> => {
      await writeWorkbook(at('paper.xlsx'), {
        properties,
        sheets: [filled(sheet('Plain', []), rows(count)), filled(sheet('Pictured', PAIR), rows(count))],
      });
      const book = (await partsOf(at('paper.xlsx'))).get('xl/workbook.xml') ?? '';
      return [...book.matchAll(/_xlnm\.Print_Titles"[^>]*>&apos;(\w+)&apos;!/g)].map(([, name]) => name);
    };
    expect(await headersOf(3)).toEqual(['Plain']);
    expect(await headersOf(60)).toEqual(['Plain', 'Pictured']);
  });

  test('are no wider than the table', async () => {
    const wide = [picture('wide', 1550, 100)];
    await writeWorkbook(at('wide.xlsx'), { properties, sheets: [filled(sheet('Wide', wide), rows(1))] });
    const drawing = (await partsOf(at('wide.xlsx'))).get('xl/drawings/drawing1.xml') ?? '';
    const [, width, height] = /<xdr:ext cx="(\d+)" cy="(\d+)"/.exec(drawing) ?? [];
    expect(Number(width)).toBeLessThan(170 * 9525);
    expect(Number(height)).toBeLessThan(11 * 9525);
  });

  test('stand on the last part of a table that is split', async () => {
    const split = streamed(sheet('Split', PAIR), { count: 9, rows: rows(9) });
    await writeWorkbook(at('split.xlsx'), { properties, sheets: [split], sheetRowsMax: 8 });
    const parts = await partsOf(at('split.xlsx'));
    const drawn = [...parts].filter(
      ([path, xml]) => path.includes('worksheets/sheet') && /<drawing /.test(xml),
    );
    expect(drawn.map(([path]) => path)).toEqual([[...parts.keys()].filter(isSheet).at(-1)]);
  });

  test('leave the same bytes when they are drawn again', async () => {
    const write = (name: string) =>
      writeWorkbook(at(name), { properties, sheets: [filled(sheet('Same', PAIR), rows(2))] });
    await write('a.xlsx');
    await write('b.xlsx');
    expect((await readFile(at('a.xlsx'))).equals(await readFile(at('b.xlsx')))).toBe(true);
  });

  testWithLibreOffice('do not keep another program from opening the file', async () => {
    await writeWorkbook(at('open.xlsx'), { properties, sheets: [filled(sheet('Open', PAIR), rows(2))] });
    expect(unconfirmed(await recalculate(at('open.xlsx')))).toEqual([]);
  });
});

const PAIR = [picture('one'), picture('two')];
const isSheet = (path: string): boolean => /worksheets\/sheet\d+\.xml$/.test(path);
