import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { money } from '../../src/kernel/money.ts';
import { formula, quoted, type References } from '../../src/workbook/cell.ts';
import { type Check, checksSheet } from '../../src/workbook/checks-sheet.ts';
import { writePackage } from '../../src/workbook/package-zip.ts';
import { defineSheet, filled, laidOut, text } from '../../src/workbook/sheet.ts';
import { writeWorkbook } from '../../src/workbook/write-workbook.ts';
import { converted, recalculate, testWithLibreOffice, unconfirmed } from '../support/libreoffice.ts';
import { readPackage } from '../support/read-package.ts';
import { storedCells } from '../support/stored-cells.ts';
import { demoSales, demoWorkbook } from './demo-workbook.ts';
import { temporaryFolder } from './temporary-folder.ts';

const at = temporaryFolder();
const { properties } = demoWorkbook([]);

describe('recalculated by LibreOffice', () => {
  testWithLibreOffice(
    'cells that are not zero are counted, and not the blank row of an empty table',
    async () => {
      const amounts = defineSheet<number>({
        name: 'Amounts',
        columns: [
          { title: 'Row', width: 8, format: 'id', value: (cents) => `row ${cents}` },
          {
            title: 'Amount',
            width: 8,
            format: 'money',
            value: (cents) => (cents === 9 ? undefined : money(cents)),
          },
        ],
      });
      const none = { ...amounts, name: 'None', table: 'None' };
      const counts = checksSheet(
        (
          [
            ['Amounts', 2],
            ['None', 0],
          ] as const
        ).map(([table, right]) => ({
          id: table,
          test: 'Amounts that are not zero are counted.',
          format: 'count',
          left: formula((refer) => refer.countNonZero(table, 'Amount'), right),
          right,
        })),
      );
      const sheets = [counts, filled(amounts, [0, 5, -5, 9]), filled(none, [])];
      await writeWorkbook(at('counts.xlsx'), { properties, sheets });
      expect(unconfirmed(await recalculate(at('counts.xlsx')))).toEqual([]);
    },
  );

  testWithLibreOffice('a wrong stored result is found, a text and a blank one too', async () => {
    await writeWorkbook(at('right.xlsx'), demoWorkbook(demoSales(9)));
    const files = new Map(await readPackage(await readFile(at('right.xlsx'))));
    const falsified = (file: string, from: string, to: string) => {
      const xml = files.get(file)?.toString() ?? '';
      expect(xml).toContain(from);
      files.set(file, Buffer.from(xml.replace(from, to)));
    };
    falsified('xl/worksheets/sheet2.xml', '<v>950.91</v>', '<v>950.92</v>');
    falsified('xl/worksheets/sheet1.xml', '<v>PASS</v>', '<v>FAIL</v>');
    falsified('xl/worksheets/sheet1.xml', '</f><v>0.00</v>', '</f>');
    await writePackage(
      at('wrong.xlsx'),
      [...files].map(([path, content]) => ({ path, pieces: [content] })),
    );
    const found = unconfirmed(await recalculate(at('wrong.xlsx')));
    expect(found.map(({ place, cached, recalculated }) => [place, cached, recalculated])).toEqual([
      ['Checks!E4', undefined, 0],
      ['Checks!G4', 'FAIL', 'PASS'],
      ['By state!C4', 950.92, 950.91],
    ]);
  });

  testWithLibreOffice('identifiers that look like one number stay apart', async () => {
    const codes = ['06037', '6037', '006037', '06037'];
    const locations = defineSheet<string>({
      name: 'Locations',
      columns: [
        { title: 'Code', width: 8, format: 'id', value: (code) => code },
        { title: 'Sales', width: 8, format: 'count', value: () => 10 },
      ],
    });
    const line = (id: string, text: (at: References) => string, right: number): Check => ({
      ...{ id, test: 'Codes are compared as text.', format: 'count' },
      ...{ left: formula(text, right), right },
    });
    const where = { Code: quoted('06037') };
    const checks = [
      line('Sales at 06037', (at) => at.sumIfs('Locations', 'Sales', where), 20),
      line('Rows of 06037', (at) => at.countIfs('Locations', where), 2),
    ];
    await writeWorkbook(at('codes.xlsx'), {
      properties,
      sheets: [checksSheet(checks), filled(locations, codes)],
    });
    expect(unconfirmed(await recalculate(at('codes.xlsx')))).toEqual([]);
  });
});

describe('a text that begins like a formula', () => {
  const texts = [
    '=1+1',
    '+1+1',
    '-1+1',
    '@SUM(1)',
    '\t=1+1',
    '\r=1+1',
    "'=1+1",
    '=cmd|"/C calc"!A0',
    '=HYPERLINK("http://example.com","x")',
    '<script>alert(1)</script>',
    '06037',
    '1E5',
    'TRUE',
    '2026-10-31',
  ];
  const sheets = [
    filled(
      defineSheet<string>({
        name: 'Texts',
        columns: [
          { title: 'Id', width: 8, format: 'id', value: (text) => text },
          { title: 'Text', width: 30, format: 'text', value: (text) => text },
          { title: 'Status', width: 30, format: 'status', value: (text) => text },
        ],
      }),
      texts,
    ),
    laidOut({
      name: 'Page',
      title: '=1+1',
      subtitle: '',
      orientation: 'portrait',
      widths: [30, 30],
      cards: [],
      grids: [
        {
          hasHeader: false,
          columns: [{ title: '' }, { title: '' }],
          rows: texts.map((each) => ({ cells: [text(each), text(each)] })),
        },
      ],
      findings: [],
    }),
  ];

  test('is stored as the text it is', async () => {
    await writeWorkbook(at('texts.xlsx'), { properties, sheets });
    const cells = await storedCells(at('texts.xlsx'));
    expect(cells.filter(({ formula }) => formula !== undefined)).toEqual([]);
    const column = (name: string) =>
      cells.filter(({ place }) => place.startsWith(name)).map(({ value }) => value);
    expect(column('Texts!B').slice(1)).toEqual(texts);
    expect(column('Page!B')).toEqual(texts);
  });

  testWithLibreOffice('is the same text after LibreOffice has opened and saved it', async () => {
    await writeWorkbook(at('opened.xlsx'), { properties, sheets });
    const cells = await converted(at('opened.xlsx'), 'xlsx:Calc MS Excel 2007 XML', (folder, name) =>
      storedCells(join(folder, name)),
    );
    expect(cells.filter(({ formula }) => formula !== undefined)).toEqual([]);
    const values = cells.filter(({ place }) => /^Texts![ABC]/.test(place)).map(({ value }) => value);
    expect(values.slice(-texts.length * 3)).toEqual(texts.flatMap((text) => [text, text, text]));
  });
});
