import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Chart } from '../../../src/close/workbook/chart.ts';
import { filled, stacked, streamed } from '../../../src/close/workbook/sheet.ts';
import { writeWorkbook } from '../../../src/close/workbook/write-workbook.ts';
import { DefectError } from '../../../src/kernel/errors.ts';
import { readPackage } from '../../support/read-package.ts';
import { workbookCharts } from '../../support/workbook-charts.ts';
import { chart, rows, sheet } from './charted-sheet.ts';
import { demoWorkbook } from './demo-workbook.ts';
import { temporaryFolder } from './temporary-folder.ts';

const at = temporaryFolder();
const { properties } = demoWorkbook([]);

/** The texts of a package by path. */
const partsOf = async (path: string): Promise<ReadonlyMap<string, string>> => {
  const files = await readPackage(await readFile(path));
  return new Map([...files].map(([name, content]) => [name, content.toString()]));
};

const write = (name: string, ...sheets: Parameters<typeof writeWorkbook>[1]['sheets']) =>
  writeWorkbook(at(name), { properties, sheets });

describe('a chart of a table', () => {
  test('refers to cells that hold what the chart has kept of them', async () => {
    await write(
      'cells.xlsx',
      filled(sheet('Plain'), rows(2)),
      filled(sheet('My chart', chart('one')), rows(3)),
    );
    const [drawn] = await workbookCharts(at('cells.xlsx'));
    const ranges = drawn?.references.map(({ range }) => range) ?? [];
    // Title, blank row and header stand above the rows.
    expect(new Set(ranges)).toEqual(
      new Set([
        "'My chart'!$A$4:$A$6",
        ...['B', 'C', 'D'].flatMap((letter) => [
          `'My chart'!$${letter}$3`,
          `'My chart'!$${letter}$4:$${letter}$6`,
        ]),
      ]),
    );
    for (const { range, kept, held } of drawn?.references ?? []) {
      if (range.includes('$A$')) expect(kept).toEqual(['row &lt;0&gt;', 'row &lt;1&gt;', 'row &lt;2&gt;']);
      else expect([range, kept]).toEqual([range, held]);
    }
  });

  test('has its words for those who do not see it', async () => {
    await write('words.xlsx', filled(sheet('Words', chart('one')), rows(3)));
    const [drawn] = await workbookCharts(at('words.xlsx'));
    expect(drawn?.title).toBe('one');
    expect(drawn?.description).toBe('The &lt;figures&gt; of one');
    expect(drawn?.xml).toContain('<a:t>How many &amp; how much</a:t>');
  });

  test('leaves what only holds up the others unseen and out of the key of colours', async () => {
    await write('unseen.xlsx', filled(sheet('Unseen', chart('one')), rows(3)));
    const [drawn] = await workbookCharts(at('unseen.xlsx'));
    const series = drawn?.xml.split('<c:ser>').slice(1) ?? [];
    expect(series.map((each) => /<c:spPr>(.*?)<a:ln>/.exec(each)?.[1])).toEqual([
      '<a:noFill/>',
      '<a:solidFill><a:srgbClr val="B45309"/></a:solidFill>',
      '<a:solidFill><a:srgbClr val="1D5FA8"/></a:solidFill>',
    ]);
    expect(drawn?.xml).toContain('<c:legendEntry><c:idx val="0"/><c:delete val="1"/></c:legendEntry>');
  });

  test('is declared in the package, once each part', async () => {
    const sheets = ['First', 'Second'].map((name) => filled(sheet(name, chart(name)), rows(2)));
    await write('declared.xlsx', ...sheets);
    const types = (await partsOf(at('declared.xlsx'))).get('[Content_Types].xml') ?? '';
    for (const part of ['drawings/drawing1', 'drawings/drawing2', 'charts/chart1', 'charts/chart2']) {
      expect(types.split(`PartName="/xl/${part}.xml"`)).toHaveLength(2);
    }
    expect((await workbookCharts(at('declared.xlsx'))).map(({ title }) => title)).toEqual([
      'First',
      'Second',
    ]);
  });

  test('stands below the rows, or beside them when it has bars', async () => {
    const cornerOf = async (direction: Chart['direction']) => {
      await write('corner.xlsx', filled(sheet('Corner', chart('one', direction)), rows(3)));
      const drawing = (await partsOf(at('corner.xlsx'))).get('xl/drawings/drawing1.xml') ?? '';
      return ['col', 'row'].map((name) => Number(new RegExp(`<xdr:${name}>(\\d+)<`).exec(drawing)?.[1]));
    };
    // Three rows and the total end in row 7; two stay free.
    expect(await cornerOf('columns')).toEqual([0, 9]);
    expect(await cornerOf('bars')).toEqual([4, 2]);
  });

  test('shares the page of its table where both fit, and has no header above it where they do not', async () => {
    const printed = async (count: number) => {
      const sheets = [
        filled(sheet('Plain'), rows(count)),
        filled(sheet('Charted', chart('one')), rows(count)),
      ];
      await write('paper.xlsx', ...sheets);
      const parts = await partsOf(at('paper.xlsx'));
      const repeated = parts
        .get('xl/workbook.xml')
        ?.matchAll(/_xlnm\.Print_Titles"[^>]*>&apos;(\w+)&apos;!/g);
      return {
        hasBreak: /<brk /.test(parts.get('xl/worksheets/sheet2.xml') ?? ''),
        headers: [...(repeated ?? [])].map(([, name]) => name),
      };
    };
    expect(await printed(3)).toEqual({ hasBreak: false, headers: ['Plain', 'Charted'] });
    expect(await printed(20)).toEqual({ hasBreak: true, headers: ['Plain'] });
    expect(await printed(60)).toEqual({ hasBreak: true, headers: ['Plain', 'Charted'] });
  });

  test('leaves the page to a table below only where that surely fits', async () => {
    const breaks = async (count: number) => {
      const again = filled({ ...sheet('Again'), table: 'Again' }, rows(3));
      await write('stacked.xlsx', stacked(filled(sheet('First'), rows(count)), [again]));
      const xml = (await partsOf(at('stacked.xlsx'))).get('xl/worksheets/sheet1.xml') ?? '';
      return [...xml.matchAll(/<brk id="(\d+)"/g)].map(([, id]) => Number(id));
    };
    expect(await breaks(3)).toEqual([]);
    // Title, blank row, header, rows and total of the first table, and two blank rows.
    expect(await breaks(26)).toEqual([32]);
    expect(await breaks(80)).toEqual([86]);
  });

  test('cannot be drawn of what is not there, or not all on one sheet', async () => {
    const refused = async (promise: Promise<unknown>) => expect(promise).rejects.toThrow(DefectError);
    const wrong = { ...chart('one'), categories: 'Nothing' };
    await refused(write('wrong.xlsx', filled(sheet('Wrong', wrong), rows(2))));
    await refused(write('once.xlsx', streamed(sheet('Once', chart('one')), { count: 2, pages: [rows(2)] })));
    const split = { properties, sheets: [filled(sheet('Split', chart('one')), rows(9))], sheetRowsMax: 8 };
    await refused(writeWorkbook(at('split.xlsx'), split));
  });

  test('leaves the same bytes when it is drawn again', async () => {
    for (const name of ['a.xlsx', 'b.xlsx']) await write(name, filled(sheet('Same', chart('one')), rows(2)));
    expect((await readFile(at('a.xlsx'))).equals(await readFile(at('b.xlsx')))).toBe(true);
  });
});
