import { readFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import type { LedgerFile } from '../../../src/close/general-ledger/ledger-file.ts';
import { ledgerReader } from '../../../src/close/general-ledger/read-ledger.ts';
import { formatMoney } from '../../../src/kernel/money.ts';
import { surveyOf } from '../sales/files/on-disk.ts';

const ACCOUNT = 'Texas State Comptroller Payable';
const reader = (account = ACCOUNT) => ledgerReader([{ account, state: 'TX' }]);
const sample = (name: string): string =>
  readFileSync(new URL(`../../../samples/ledgers/${name}.csv`, import.meta.url), 'utf8');

const read = async (text: string, account?: string): Promise<LedgerFile> => {
  const file = await reader(account)(await surveyOf(text, 'ledger.csv'));
  expect(file.used + file.ignored + file.rejected).toBe(file.rows);
  return file;
};

const refused = async (text: string): Promise<string> => {
  const error = await read(text).then(
    () => undefined,
    (thrown: Error & { code: string }) => thrown,
  );
  return `${error?.code}: ${error?.message}`;
};

const shown = ({ entries }: LedgerFile) =>
  entries.map(({ date, amount }) => `${date} ${formatMoney(amount)}`);

const ENTRIES = ['2026-09-03 1004.13', '2026-09-12 -4.13', '2026-09-19 -410.44', '2026-09-19 -2.06'];

const LEDGER = sample('quickbooks.general-ledger');

describe('an export of the ledger', () => {
  test.for([
    ['quickbooks.general-ledger', '412.50', '2026-09-01'],
    ['quickbooks.quick-report', '412.50', '2026-09-01'],
    ['quickbooks.transaction-detail', undefined, undefined],
    ['quickbooks-desktop.general-ledger', '412.50', '2026-09-03'],
    ['xero.account-transactions', '412.50', '2026-09-01'],
    ['netsuite.transactions', undefined, undefined],
    ['ledger.rows', '412.50', '2026-09-01'],
  ] as const)('of %s is recognised, and says the same of the account', async ([name, opening, before]) => {
    const file = await read(sample(name));
    expect(file).toMatchObject({ layout: name, used: 4, rejected: 0, problems: [] });
    expect(shown(file)).toEqual(ENTRIES);
    expect(file.entries.every(({ account }) => account === ACCOUNT)).toBe(true);
    expect(file.balances.map(({ amount, before: day }) => [formatMoney(amount), day])).toEqual(
      opening === undefined ? [] : [[opening, before]],
    );
  });

  test('may be a workbook, with days and amounts as Excel has them', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Account Transactions');
    sheet.addRow(['Account Transactions']);
    sheet.addRow(['For the period 1 September 2026 to 30 September 2026']);
    sheet.addRow([]);
    sheet.addRow(
      'Date,Source,Description,Reference,Debit,Credit,Running Balance,Account Code,Account'.split(','),
    );
    const rest = ['820', ACCOUNT];
    const on = (day: number) => new Date(Date.UTC(2026, 8, day));
    sheet.addRow([on(3), 'Receivable Invoice', 'Ada Example', '2001', null, 1004.13, -1004.13, ...rest]);
    sheet.addRow([on(12), 'Receivable Credit Note', 'Ada Example', '2003', 4.13, null, -1000, ...rest]);
    sheet.addRow([on(19), 'Spend Money', 'August return', '', 410.44, null, -589.56, ...rest]);
    sheet.addRow([on(19), 'Manual Journal', 'Timely discount', '', 2.06, null, -587.5, ...rest]);
    const bytes = new Uint8Array(await workbook.xlsx.writeBuffer());
    const file = await reader()(await surveyOf(bytes, 'ledger.xlsx'));
    expect(file).toMatchObject({ layout: 'xero.account-transactions', used: 4, rejected: 0, problems: [] });
    expect(shown(file)).toEqual(ENTRIES);
    expect(file.days).toEqual({ first: '2026-09-01', last: '2026-09-30' });
    expect(file.balances).toEqual([]);
  });

  test.for([
    ['Sales Tax Payable:Texas State Comptroller Payable', 'with the accounts above it'],
    ['texas  state comptroller payable', 'in another case'],
  ] as const)('has the account %s', async ([account]) => {
    expect(shown(await read(LEDGER, account))).toEqual(ENTRIES);
  });

  test('counts an entry once that two files have, and entries that are alike in one file each', async () => {
    const read = reader();
    const line = '2026-09-03,Texas State Comptroller Payable,5.00,Invoice';
    const header = 'Date,Account,Amount,Memo';
    const first = await read(await surveyOf(`${header}\n${line}\n${line}\n`, 'a.csv'));
    const second = await read(await surveyOf(`${header}\n${line}\n${line}\n${line}\n`, 'b.csv'));
    expect([first.used, second.used, second.ignored]).toEqual([2, 1, 2]);
  });

  test('reads another delimiter, and a report without a balance has one of nothing', async () => {
    const text = LEDGER.replace(/,Beginning Balance,,,,,,,412.50\n/, '');
    expect((await read(text)).balances).toMatchObject([{ amount: 0 }]);
    const rows = sample('ledger.rows').replaceAll(',', ';');
    expect(shown(await read(rows))).toEqual(ENTRIES);
  });

  test.for([
    ['September 1-30, 2026', '2026-09-01', '2026-09-30'],
    ['July 21 - September 30, 2026', '2026-07-21', '2026-09-30'],
    ['December 28, 2025 - January 3, 2026', '2025-12-28', '2026-01-03'],
    ['July - September, 2026', '2026-07-01', '2026-09-30'],
    ['September 2026', '2026-09-01', '2026-09-30'],
    ['09/01/2026 - 09/30/2026', '2026-09-01', '2026-09-30'],
  ] as const)('is of the days that its title names: %s', async ([title, first, last]) => {
    expect((await read(LEDGER.replace('September 1-30, 2026', title))).days).toEqual({ first, last });
  });

  test('names no days where its title does not', async () => {
    expect((await read(LEDGER.replace('September 1-30, 2026', 'All Dates'))).days).toBe(null);
  });
});

describe('a damaged export of the ledger', () => {
  const damaged = async (from: string, to: string) => {
    const { problems, rejected } = await read(LEDGER.replace(from, to));
    return {
      rejected,
      said: problems.map(({ code, origin, message }) => `${code} ${origin.line} ${message}`),
    };
  };

  test.for([
    [
      ',09/12/2026,Credit',
      ',09/41/2026,Credit',
      'bad-ledger-row 14 Date "09/41/2026" is not a day such as 10/31/2026 or 31 Oct 2026',
    ],
    ['(4.13)', '4.1x', 'bad-ledger-row 14 Amount "4.1x" is not an amount of dollars and cents'],
    ['(4.13)', '4.135', 'bad-ledger-row 14 Amount "4.135" is not an amount of dollars and cents'],
    ['(4.13)', '', 'bad-ledger-row 14 the row has no amount'],
  ] as const)('has its row rejected with file and line: %#', async ([from, to, said]) => {
    expect(await damaged(from, to)).toEqual({ rejected: 1, said: [said] });
  });

  test('is found out by its totals when a row is missing or changed', async () => {
    expect((await damaged('(4.13)', '(4.31)')).said).toEqual([
      expect.stringMatching(
        /^ledger-total 17 the total of .* is 587.50 in the file, and its rows come to 587.32/,
      ),
    ]);
    const xero = sample('xero.account-transactions').replace(/^12 Sep.*\n/m, '');
    expect((await read(xero)).problems.map(({ code }) => code)).toEqual(['ledger-total', 'ledger-total']);
  });

  test('that ends within an account is found out', async () => {
    const cut = LEDGER.slice(0, LEDGER.indexOf('Total for Texas'));
    expect((await read(cut)).problems.map(({ code }) => code)).toEqual(['ledger-cut-off']);
  });

  test('with two accounts of one name asks for the whole path', async () => {
    const twice = `${sample('ledger.rows')}2026-09-21,Old:${ACCOUNT},1.00,x\n`;
    expect((await read(twice)).problems).toMatchObject([{ code: 'ledger-account', severity: 'error' }]);
  });

  test.for([
    [
      'Trial Balance\n\nAccount,Debit,Credit\nSales Tax,,5.00\n',
      'it is a trial balance, and has no dated entries',
    ],
    [
      'Tax name,Gross total,Taxable amount,Tax amount\nTX,1,1,1\n',
      'it is a report of sales tax, and has no entries',
    ],
    ['Name,Email\nA,B\n', 'its columns are those of no ledger export that is known'],
    [LEDGER.replace('Accrual basis', 'Cash basis'), 'it is on cash basis'],
  ] as const)('is refused when it is another report: %#', async ([text, why]) => {
    expect(await refused(text)).toMatch(/^E_BOOKS_LAYOUT: .*ledger.csv: /);
    expect(await refused(text)).toContain(why);
  });
});
