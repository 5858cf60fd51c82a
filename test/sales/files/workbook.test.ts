import excel from 'exceljs';
import { describe, expect, test } from 'vitest';
import { readWorkbook } from '../../../src/sales/read-workbook.ts';
import { tableHeads } from '../../../src/sales/table-heads.ts';
import { partsOf, surveyOf, zipOf } from './on-disk.ts';

type CellOf = { readonly value: excel.CellValue; readonly numFmt?: string };

const bookOf = async (fill: (book: excel.Workbook) => void): Promise<Buffer> => {
  const book = new excel.Workbook();
  fill(book);
  return Buffer.from(await book.xlsx.writeBuffer());
};

const textOf = async ({ value, numFmt }: CellOf): Promise<string | undefined> => {
  const bytes = await bookOf((book) => {
    const cell = book.addWorksheet('Orders').getCell('A1');
    cell.value = value;
    if (numFmt !== undefined) cell.numFmt = numFmt;
  });
  const [sheet] = await readWorkbook(await surveyOf(bytes, 'orders.xlsx'));
  return [...(sheet?.rows() ?? [])][0]?.cells[0];
};

const ACCOUNTING = '_($* #,##0.00_);_($* \\(#,##0.00\\);_($* "-"??_);_(@_)';

const LATE = new Date(Date.UTC(2026, 9, 31, 23, 30, 7));
const PART = new Date(Date.UTC(2026, 9, 2, 10, 5, 37, 700));
const LAST = new Date(Date.UTC(2026, 9, 31, 23, 59, 59, 999));

describe('a cell of a workbook is the text a person sees, and a date has its year first, whatever form it shows', () => {
  test.for([
    [{ value: LATE, numFmt: 'yyyy-mm-dd hh:mm:ss' }, '2026-10-31 23:30:07', 'date and time'],
    [{ value: LATE, numFmt: 'dd/mm/yyyy hh:mm' }, '2026-10-31 23:30', 'the day first, no seconds'],
    [{ value: LATE, numFmt: 'dd/mm/yyyy' }, '2026-10-31', 'a day'],
    [{ value: LAST, numFmt: 'm/d/yyyy h:mm' }, '2026-10-31 23:59', 'a fraction makes no next day'],
    [{ value: PART, numFmt: 'm/d/yyyy h:mm:ss' }, '2026-10-02 10:05:38', 'rounded to the second it shows'],
    [{ value: 12.5, numFmt: '#,##0.00_M' }, '12.50', 'a number whose format has a letter stays one'],
    [{ value: '  #1001 ' }, '  #1001 ', 'text as it is'],
    [{ value: 94607 }, '94607', 'a ZIP that is a number stays its digits'],
    [{ value: 6_120_174_161_920 }, '6120174161920', 'a long id has no exponent'],
    [{ value: 1.2345678901234568e20 }, '1.23457E+20', 'but one that has lost digits shows it'],
    [{ value: 12.5, numFmt: '0.00' }, '12.50', 'an amount in its format'],
    [{ value: -100, numFmt: '#,##0.00;[Red]#,##0.00' }, '-100', 'the minus that only a colour shows'],
    [{ value: 0, numFmt: ACCOUNTING }, '0', 'a zero that is shown as a line'],
    [{ value: 12_345.67, numFmt: '#,##0.00,' }, '12345.67', 'an amount that is shown in thousands'],
    [{ value: 0.088_75, numFmt: '0.00%' }, '8.875%', 'with all its digits'],
    [
      { value: 577_100_000_000_000_100, numFmt: '0' },
      '5.77100E+17',
      'an id that has lost digits shows it in every format',
    ],
    [{ value: 1_234_567_890_123_456 }, '1234567890123456', 'an id of 16 digits that has them all'],
    [{ value: 12.4, numFmt: '0' }, '12.4', 'cents behind a whole number are not hidden'],
    [{ value: 0.1 + 0.2 }, '0.3', 'in fifteen digits, as a spreadsheet keeps them'],
    [{ value: { formula: 'A2*2', result: 7 } }, '7', 'the result of a formula'],
  ] as const)('%j is %j: %s', async ([cell, text]) => {
    expect(await textOf(cell as CellOf)).toBe(text);
  });
});

describe('a workbook of a few kilobytes is refused, or read, at once', () => {
  const MB = 1024 * 1024;
  const rows = (xml: string) => `<worksheet><sheetData>${xml}</sheetData></worksheet>`;
  test.for([
    ['empty cells', rows('<c/>'.repeat(8_000_001)), /300 times its size|more than 8000000 tags/],
    [
      'a row beyond every sheet',
      rows('<row r="4294967290"><c r="A1"/></row>'),
      /rows beyond 1048576|cannot be read/,
    ],
    [
      'cells that are merged into billions',
      `${rows('<row r="1"><c r="A1"><v>1</v></c></row>').slice(0, -12)}<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>`,
      undefined,
    ],
  ] as const)('%s', async ([, sheet, rule]) => {
    const file = await surveyOf(await zipOf(partsOf(sheet)), 'orders.xlsx');
    const before = process.memoryUsage().rss;
    const read = readWorkbook(file).then((sheets) => sheets.map((each) => [...each.rows()]));
    if (rule === undefined) expect(await read).toEqual([[{ line: 1, cells: ['1'] }]]);
    else await expect(read).rejects.toThrow(rule);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * MB);
  });
});

/** A number, and the text of another number. */
const NUMBERED =
  '<worksheet><sheetData><row r="1"><c r="A1"><v>7</v></c><c r="B1" t="s"><v>1</v></c></row></sheetData></worksheet>';

describe('a malformed workbook is refused in our words, with the file and what to do', () => {
  const parts = partsOf(NUMBERED);
  const DAMAGED = 'the workbook cannot be read: it is damaged, or parts of it are missing';
  test.for([
    [{ ...parts, 'xl/worksheets/sheet1.xml': 'no xml at all' }, 'ARCHIVE', DAMAGED, 'save it again'],
    [{ '[Content_Types].xml': 'x' }, 'ARCHIVE', 'a workbook without sheets', 'name the files'],
    [
      { ...parts, 'xl/worksheets/sheet1.xml': Buffer.alloc(65 * 1024 * 1024, ' ') },
      'LIMIT',
      'times its size',
      'in parts',
    ],
  ] as const)('$1: $2', async ([content, code, message, nextStep]) => {
    const file = await surveyOf(await zipOf(content), 'orders.xlsx');
    const read = readWorkbook(file).then((sheets) => sheets.map((each) => [...each.rows()]));
    await expect(read).rejects.toMatchObject({
      code: `E_EXPORT_${code}`,
      message: expect.stringContaining(message),
      nextStep: expect.stringContaining(nextStep),
      recovery: 'fix-input',
      details: { file: expect.stringMatching(/orders\.xlsx$/) },
    });
  });
});

test('a workbook has the rows of its visible sheets, by their numbers', async () => {
  const bytes = await bookOf((book) => {
    const sheet = book.addWorksheet('Orders');
    sheet.addRows([['Report'], [], ['Name', 'Total'], ['#1', 5, '', 'x'], ['', ''], ['#2', 6]]);
    sheet.mergeCells('A1:C1');
    book.addWorksheet('Secret', { state: 'hidden' }).addRow(['Name']);
  });
  const sheets = await readWorkbook(await surveyOf(bytes, 'orders.xlsx'));
  expect(sheets.map(({ name }) => name)).toEqual(['Orders']);
  expect([...(sheets[0]?.rows() ?? [])]).toEqual([
    { line: 1, cells: ['Report'] },
    { line: 3, cells: ['Name', 'Total'] },
    { line: 4, cells: ['#1', '5', '', 'x'] },
    { line: 6, cells: ['#2', '6'] },
  ]);
});

describe('a formula without a stored result', () => {
  const rowsBelow = async (cell: string, line = 1) => {
    const sheet = `<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>Name</v></c><c r="B1" t="str"><v>Tax</v></c></row><row r="2"><c r="A2"><v>1</v></c>${cell}</row></sheetData></worksheet>`;
    const [head] = await tableHeads(await surveyOf(await zipOf(partsOf(sheet)), 'orders.xlsx'));
    const rows = [];
    for await (const batch of head?.from({ line, cells: ['Name', 'Tax'] }) ?? []) rows.push(...batch);
    return rows.slice(1).map(({ cells }) => cells);
  };

  test('is refused, with its cell', async () => {
    for (const cell of ['<f>1+1</f>', '<f>1+1</f><v></v>'])
      await expect(rowsBelow(`<c r="B2">${cell}</c>`)).rejects.toMatchObject({
        code: 'E_EXPORT_ARCHIVE',
        message: expect.stringContaining('row 2 of the sheet S has a formula without a stored result'),
        nextStep: expect.stringContaining('which calculates it, and save it there'),
      });
  });

  test('is nothing above the table', async () => {
    expect(await rowsBelow('<c r="B2"><f>1+1</f></c>', 3)).toEqual([]);
  });

  test.for([['<c r="B2"><f>1-1</f><v>0</v></c>', ['1', '0'], 'also nothing']] as const)(
    '%s is read as %j: %s',
    async ([cell, cells]) => {
      expect(await rowsBelow(cell)).toEqual([cells]);
    },
  );
});
