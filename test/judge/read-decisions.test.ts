import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { readDecisions } from '../../src/judge/decided-in.ts';
import { surveyOf } from '../sales/files/on-disk.ts';

const HEADER = 'no,key,cause,records,effect on tax,decision,why,by,on';
const ROW = 'D01,2026-10 bad-cell of 5115,Cell,5115,0.00,Ignore,asked the shop,J. Ruiz,2026-11-03';

const read = async (...texts: readonly string[]) =>
  readDecisions(await Promise.all(texts.map((text, index) => surveyOf(text, `${index + 1}.csv`))));

const DECIDED = {
  period: '2026-10',
  code: 'bad-cell',
  cause: '',
  records: ['5115'],
  verdict: 'ignore',
  why: 'asked the shop',
  by: 'J. Ruiz',
  on: '2026-11-03',
};

describe('a file of decisions', () => {
  test.for<readonly [string, string]>([
    [`${HEADER}\n${ROW}\n`, 'as it was written'],
    [`\uFEFF${HEADER}\r\n${ROW}\r\n,,,,,,,,\r\n\r\n`, 'with a mark, Windows line ends and blank rows'],
    [`${HEADER}\n${ROW.replace('Ignore', ' IGNORE ')}\n`, 'in capitals'],
    [`${HEADER}\n${ROW.replace('2026-11-03', '11/3/2026')}\n`, 'with the day as an American writes it'],
    [`${HEADER}\n${ROW.replace('2026-11-03', '03.11.2026')}\n`, 'with the day as a German writes it'],
    [`${HEADER}\n${ROW.replace('2026-11-03', '3-Nov-26')}\n`, 'with the day as Excel shortens it'],
  ])('reads %j: %s', async ([text]) => {
    const decisions = await read(text);
    expect(decisions).toEqual([{ ...DECIDED, place: '1.csv:2, column "decision"' }]);
  });

  test('reads the sheet Decide of a workbook, whose other sheets it passes over', async () => {
    const workbook = new ExcelJS.Workbook();
    workbook.addWorksheet('README').addRow(['About']);
    workbook
      .addWorksheet('Decide')
      .addRows([
        ['What to decide'],
        [],
        ['No.', 'Cause', 'Records', 'Decision', 'Why', 'By', 'On', 'Key'],
        ['Open: decide before you file'],
        [
          'D01',
          'Cell',
          '5115',
          'Ignore',
          'asked the shop',
          'J. Ruiz',
          new Date('2026-11-03'),
          '2026-10 bad-cell of 5115',
        ],
      ]);
    const bytes = new Uint8Array(await workbook.xlsx.writeBuffer());
    const decisions = await readDecisions([await surveyOf(bytes, 'variance.xlsx')]);
    expect(decisions).toEqual([{ ...DECIDED, place: 'variance.xlsx:5, column "Decision"' }]);
  });

  test.for([
    ['2026-10 bad-cell of 1,1,Burn,because,', ', column "decision": “Burn” is not a decision'],
    ['2026-10 bad-cell of 1,1,Ignore,,', ', column "why": “” is too short for a reason of “Ignore”'],
    ['2026-10 bad-cell of 1,1,Ignore,x,', ', column "why": “x” is too short for a reason of “Ignore”'],
    ['2026-10 bad-cell of 1,1,,because,', ', column "decision": the row says why, and decides nothing'],
    ['bad-cell 1,1,Ignore,because,', ', column "key": “bad-cell 1” is not a key of a line to decide'],
    [',1,Ignore,because,', ', column "key": “” is not a key of a line to decide'],
    ['2026-10 bad-cell in TX,,Ignore,because,', ', column "records": the row names no record'],
    [
      '2026-10 R99 of D-5,D-5,Set by hand,because,',
      ', column "key": a tax that was set by hand needs its amount',
    ],
    ['2026-10 bad-cell of 1,1,Ignore,because,soon', ', column "on": “soon” is not a day'],
  ])('refuses %j', async ([row, rule]) => {
    await expect(read(`key,records,decision,why,on\n${row}\n`)).rejects.toMatchObject({
      code: 'E_DECISION',
      recovery: 'fix-input',
      message: `1.csv:2${rule}`,
    });
  });

  test('refuses a file without its columns, naming it', async () => {
    await expect(read('a,b\n1,2\n')).rejects.toMatchObject({
      code: 'E_DECISION',
      message: '1.csv: it has no columns "key", "decision", "why"',
    });
  });
});
