import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { instant } from '../../src/kernel/calendar.ts';
import { money } from '../../src/kernel/money.ts';
import { formula } from '../../src/workbook/cell.ts';
import { type Grid, laidOut } from '../../src/workbook/sheet.ts';
import { writeWorkbook } from '../../src/workbook/write-workbook.ts';
import { temporaryFolder } from './temporary-folder.ts';

const amounts: Grid = {
  name: 'Bills',
  hasHeader: true,
  columns: [{ title: 'Who' }, { title: 'Amount', align: 'right' }, { title: 'State' }],
  rows: [
    {
      cells: [
        { format: 'text', value: 'Power', link: { file: 'upload/power.csv' } },
        { format: 'money', value: money(1250) },
        {
          format: 'status',
          tone: 'good',
          value: formula((at) => `IF(${at.cellAt('Bills', 'Amount', 0)}>0,"✓ READY","○ NOTHING")`, '✓ READY'),
        },
      ],
    },
    {
      cells: [{ format: 'text', value: 'Water', link: { sheet: 'Page' } }, undefined, undefined],
    },
  ],
  totals: [
    {
      kind: 'total',
      cells: [
        { format: 'text', value: 'All' },
        { format: 'dollars', value: formula((at) => at.sum('Bills', 'Amount'), money(1250)) },
        undefined,
      ],
    },
  ],
};

const sheetOf = (grids: readonly Grid[]) =>
  laidOut({
    name: 'Page',
    title: 'What to pay',
    subtitle: 'Two bills',
    orientation: 'portrait',
    widths: [20, 14, 20],
    tab: 'answer',
    reference: 'F1',
    freeze: { columns: 1 },
    cards: [
      {
        column: 0,
        label: 'To pay',
        value: {
          format: 'status',
          value: formula((at) => `TEXT(${at.sum('Bills', 'Amount')},"0.00")`, '12.50'),
        },
        remark: { format: 'text', value: 'two bills' },
        isAlarm: true,
      },
    ],
    grids,
    findings: ['All amounts in dollars.'],
  });

const inFolder = temporaryFolder();

const written = async (grids: readonly Grid[]): Promise<ExcelJS.Worksheet> => {
  const path = inFolder('book.xlsx');
  const properties = { title: 'Bills', creator: 'test', created: instant(0) };
  await writeWorkbook(path, { properties, sheets: [sheetOf(grids)] });
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(path);
  const sheet = workbook.getWorksheet('Page');
  if (!sheet) throw new Error('there is no sheet');
  return sheet;
};

describe('a laid-out sheet', () => {
  test('has its cards, and its tables with formulas over their own cells', async () => {
    const sheet = await written([amounts]);
    expect(sheet.getCell('A5').value).toEqual({
      formula: `TEXT(SUM('Page'!$B$9:$B$10),"0.00")`,
      result: '12.50',
    });
    expect(sheet.getCell('C9').formula).toBe(`IF('Page'!$B$9>0,"✓ READY","○ NOTHING")`);
    expect(sheet.getCell('B11').value).toEqual({ formula: `SUM('Page'!$B$9:$B$10)`, result: 12.5 });
    expect(sheet.workbook.definedNames.getRanges('Bills').ranges).toEqual(['Page!$A$8:$C$10']);
    expect(sheet.getCell('A13').value).toBe('All amounts in dollars.');
  });

  test('keeps a blank row where a table has none, so that sums have a range', async () => {
    const sheet = await written([{ ...amounts, rows: [] }]);
    expect(sheet.getCell('B10').value).toMatchObject({ formula: `SUM('Page'!$B$9:$B$9)` });
  });

  test('refuses a formula over a column that is not there', async () => {
    const wrong: Grid = {
      ...amounts,
      totals: [{ cells: [{ format: 'money', value: formula((at) => at.sum('Bills', 'Sum'), money(0)) }] }],
    };
    await expect(written([wrong])).rejects.toThrow('refers to a column that is not in its table');
  });
});
