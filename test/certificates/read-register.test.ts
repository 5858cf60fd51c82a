import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { type RegisterFile, registerReader } from '../../src/certificates/read-register.ts';
import { folderOf, surveyed, surveyOf } from '../sales/files/on-disk.ts';
import { rowsOf } from '../support/rows.ts';
import { certificateOf } from './certificate-of.ts';

const HEADER = 'Certificate,Customer,States,Reason,Valid from,Valid to';
const ROW = 'RC-1,ACME-1,CA,resale,2024-01-01,2027-12-31';

const read = async (text: string): Promise<RegisterFile> =>
  registerReader()(await surveyOf(text, 'register.csv'));

const readRow = (row: string): Promise<RegisterFile> => read(`${HEADER}\n${row}\n`);

describe('a register', () => {
  test('is a table with a row for each certificate', async () => {
    const register = await readRow(ROW);
    expect(register).toMatchObject({ path: 'register.csv', rows: 1, used: 1, ignored: 0, rejected: 0 });
    expect(register.certificates).toEqual([certificateOf()]);
  });

  test('begins in the last century where a year of two digits says so', async () => {
    const register = await readRow('RC-1,ACME-1,CA,resale,7/1/98,12/31/35');
    expect(register.certificates).toMatchObject([{ validFrom: '1998-07-01', validTo: '2035-12-31' }]);
  });

  test('may have its columns by other words, in another order, below lines of prose', async () => {
    const { certificates, problems } = await read(
      `Exempt customers

Expiration date;Exemption Reason;customer  code;State;Effective-Date;ID;Phone
2027-12-31;resale;ACME-1;CA;2024-01-01;RC-1;555
`,
    );
    expect(problems).toEqual([]);
    expect(certificates).toMatchObject([
      {
        id: 'RC-1',
        customer: 'ACME-1',
        states: ['CA'],
        validFrom: '2024-01-01',
        validTo: '2027-12-31',
      },
    ]);
  });

  test.for([
    ['CA; NV|tx', ['CA', 'NV', 'TX']],
    ['"California, New York"', ['CA', 'NY']],
    ['US-CA', ['CA']],
    ['"CA,CA"', ['CA']],
    ['"Washington, DC"', ['DC']],
    ['Washington D.C.; VA', ['DC', 'VA']],
    ['All states', 'all'],
  ] as const)('names states as %s', async ([cell, states]) => {
    expect((await readRow(ROW.replace('CA', cell))).certificates[0]?.states).toEqual(states);
  });

  test.for(
    rowsOf(`
    resale | resale | wholesale
    Government | government | government
    DIRECT_PAY | direct pay | other
  `),
  )('gives the reason %s, which is %s, and %s to the service', async ([cell, reason, type]) => {
    expect((await readRow(ROW.replace('resale', cell))).certificates[0]).toMatchObject({ reason, type });
  });

  test.for([
    ['10/31/2026', '2026-10-31'],
    ['2026/10/31', '2026-10-31'],
    ['31-Oct-2026', '2026-10-31'],
    ['"October 31, 2026"', '2026-10-31'],
    ['', null],
    ['never', null],
    ['N/A', null],
  ] as const)('ends on %s', async ([cell, validTo]) => {
    expect((await readRow(ROW.replace('2027-12-31', cell))).certificates[0]?.validTo).toBe(validTo);
  });
});

describe('a row that cannot be used', () => {
  test.for(
    rowsOf(`
    ,ACME-1,CA,resale,2024-01-01, | Certificate is blank
    RC-1,,CA,resale,2024-01-01, | Customer is blank
    RC-1,3.30E+09,CA,resale,2024-01-01, | Customer "3.30E+09" is what a spreadsheet left of it
    RC-1,ACME-1,,resale,2024-01-01, | States is blank: name the states, or write "all"
    RC-1,ACME-1,CA NV,resale,2024-01-01, | States "CA NV" has "CA NV", which is not a state of the United States
    RC-1,ACME-1,CA,friend,2024-01-01, | Reason "friend" is not one of the reasons resale, government,
    RC-1,ACME-1,CA,resale,, | Valid from is blank
    RC-1,ACME-1,CA,resale,31/13/2024, | Valid from "31/13/2024" is not a day such as 2026-10-31 or 10/31/2026
    RC-1,ACME-1,CA,resale,2024-01-01,soon | Valid to "soon" is not a day such as 2026-10-31 or 10/31/2026
    RC-1,ACME-1,CA,resale,2024-01-01,2023-12-31 | Valid to "2023-12-31" lies before its first day, 2024-01-01
    RC-1,ACME-1,CA,NV,resale,2024-01-01,2027-12-31 | "2027-12-31" is in no column;
  `),
  )('is told with its line, column and value: %s', async ([row, message]) => {
    const register = await readRow(`${ROW}\n${row}`);
    expect(register).toMatchObject({ rows: 2, used: 1, ignored: 0, rejected: 1 });
    const found = register.problems.find((problem) => problem.message.startsWith(message));
    expect(found).toMatchObject({ code: 'bad-certificate', origin: { file: 'register.csv', line: 3 } });
  });

  test('is told with everything that is wrong in it', async () => {
    const { problems } = await readRow('RC-9,ACME-1,XX,friend,soon,');
    expect(
      problems.map(({ origin, message }) => [origin.record, message.match(/"(XX|friend|soon)"/g)]),
    ).toEqual([['RC-9', ['"XX"', '"XX"', '"friend"', '"soon"']]]);
  });
});

test('rows of one id with the same id are told apart, in whichever file they stand, by their names', async () => {
  const { certificates } = await readRow(
    `${ROW}\n${ROW.replace('RC-1', 'rc-1').replace('CA', 'NV')}\nRC-1 #2,B,CA,resale,2024-01-01,\n`,
  );
  // Formulas compare without case.
  expect(certificates.map(({ name }) => name)).toEqual(['RC-1', 'rc-1 #2', 'RC-1 #2 #2']);
});

test('a workbook is read like text: dates in their cells, customers that are figures, on whichever sheet', async () => {
  const folder = await folderOf({});
  const workbook = new ExcelJS.Workbook();
  workbook.addWorksheet('Notes').addRow(['who keeps this']);
  const sheet = workbook.addWorksheet('Register');
  sheet.addRow(['Exempt customers']);
  sheet.addRow(HEADER.split(','));
  sheet.addRow(['RC-1', 1001, 'CA, NV', 'resale', new Date('2024-01-01'), null]);
  sheet.getCell('E3').numFmt = 'm/d/yyyy';
  await writeFile(join(folder, 'register.xlsx'), Buffer.from(await workbook.xlsx.writeBuffer()));
  const [file] = await surveyed(folder, 'register.xlsx');
  const register = file && (await registerReader()(file));
  expect(register?.problems).toEqual([]);
  expect(register?.certificates).toMatchObject([
    { customer: '1001', states: ['CA', 'NV'], validFrom: '2024-01-01', validTo: null, origin: { line: 3 } },
  ]);
});
