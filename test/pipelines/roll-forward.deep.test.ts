import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { month, type Settings } from '../support/month.ts';
import { tableRows } from '../support/sheets.ts';
import { AUSTIN, LAS_VEGAS, type Order } from '../support/shop-exports.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

const TEXAS = [{ state: 'TX', since: '2019-01-01' }];

const sale = (name: string, at: string): Order => ({ name, at, to: AUSTIN, tax: '8.25' });

const HEADER = 'account,state,month,opening,charged,paid,closing';
const linesOf = (...rows: readonly string[]): string => `${[HEADER, ...rows].join('\n')}\n`;

/** A shop that sells to Texas, 8.25 of tax each, with the balances of its accounts. */
const shopWith = async (orders: readonly Order[], balances: string, settings: Settings = {}) => {
  const shop = await month({
    orders,
    settings: { registrations: TEXAS, ledger: 'balances.csv', ...settings },
  });
  await shop.write('balances.csv', balances);
  return {
    ...shop,
    /** By state: opening, collected, paid, adjustments, calculated, of the accounts, difference, status. */
    rolled: async (period: string) =>
      Object.fromEntries(
        (await shop.rows('Roll-forward', period, 'filing-summary')).map((row) => [
          row['State'],
          [
            ...[row['Opening balance'], row['Collected'], row['Paid'], row['Adjustments']],
            ...[row['Closing balance, calculated'], row['Closing balance of the accounts']],
            ...[row['Difference'], row['Status']],
          ],
        ]),
      ),
    /** The findings about the balances, each with its line and message. */
    found: async (period: string) =>
      (await shop.close(period)).exceptions
        .filter(({ code }) => code.includes('ledger'))
        .map(({ code, line, message }) => `${code} ${line} ${message}`),
  };
};

const SAMPLE = fileURLToPath(new URL('../../samples/roll-forward', import.meta.url));

test('the sample of two months has the figures that its README says, and its difference is decided', async () => {
  const folder = await temporaryFolder();
  await cp(SAMPLE, folder, { recursive: true });
  const config = join(folder, 'tieout.yaml');
  await writeFile(config, (await readFile(config, 'utf8')).replace('../../output', 'out'));
  for (const period of ['2026-09', '2026-10'])
    expect((await tieout(['close', period, '--config', config])).code).toBe(0);
  const book = join(folder, 'out', 'quarry-and-thread', '2026-10', 'filing-summary.xlsx');
  const rows = await tableRows(book, 'Roll-forward');
  expect(rows).toMatchObject([
    {
      ...{ State: 'MA', Paid: 30, Adjustments: 0, Difference: -12, Status: '✓ DECIDED' },
      Explanation: expect.stringContaining('use tax on a display stand'),
    },
    { State: 'TX', Paid: 66.98, Adjustments: -0.34, Difference: 0, 'Returns paid': 'TX 2026-09' },
  ]);
  const readme = await readFile(join(SAMPLE, 'README.md'), 'utf8');
  for (const row of rows) {
    const said = readme.split('\n').find((line) => line.startsWith(`| ${row['State']} `));
    const figures = ['Opening balance', 'Collected', 'Paid', 'Adjustments', 'Closing balance, calculated']
      .concat('Closing balance of the accounts', 'Difference')
      .map((title) => Number(row[title]).toFixed(2));
    expect(
      said
        ?.split('|')
        .map((cell) => cell.trim())
        .slice(2, -1),
    ).toEqual(figures);
  }
  const { stdout } = await tieout(['verify', join(folder, 'out', 'quarry-and-thread', '2026-10')]);
  expect(stdout).toContain('quarry-and-thread 2026-10 holds');
});

describe('a difference', () => {
  const ORDERS = [sale('#1', '2026-10-05'), sale('#2', '2026-10-06')];
  const balance = (charged: string): string => linesOf(`Payable,TX,2026-10,0.00,${charged},0.00,${charged}`);

  test('is decided for its amount alone', async () => {
    const decision =
      '2026-10 ledger-difference of TX 2026-10 at 3.50,Accept,booked twice by mistake,Dana,2026-11-02';
    const shop = await shopWith(ORDERS, balance('20.00'));
    await shop.write('decisions.csv', `key,decision,why,by,on\n${decision}\n`);
    await shop.close();
    expect(await shop.rolled('2026-10')).toEqual({ TX: [0, 16.5, 0, 0, 16.5, 20, -3.5, '✓ DECIDED'] });
    await shop.write('balances.csv', balance('21.00'));
    expect((await shop.close()).readiness.reasons).toMatchObject([
      { code: 'ledger-difference', effect: '-4.50' },
    ]);
    expect(await shop.rolled('2026-10')).toEqual({ TX: [0, 16.5, 0, 0, 16.5, 21, -4.5, '● OPEN'] });
  });

  test('is open for tax that no account holds, and not where an account holds that of all other states', async () => {
    const orders = [...ORDERS, { name: '#3', at: '2026-10-07', to: LAS_VEGAS, tax: '8.38' }];
    const shop = await shopWith(orders, balance('16.50'));
    expect(await shop.found('2026-10')).toEqual([
      'ledger-difference 0 no account of the file holds the tax of NV, of which 8.38 was collected',
    ]);
    await shop.write(
      'balances.csv',
      `account,month,opening,credits,debits,closing\nPayable,Oct-26,"$1,000.00",24.88,,"1,024.88"\n`,
    );
    expect(await shop.found('2026-10')).toEqual([]);
    expect(await shop.rolled('2026-10')).toEqual({
      'Other states': [1000, 24.88, 0, 0, 1024.88, 1024.88, 0, '✓ AGREES'],
    });
    expect(await shop.verify()).toEqual([]);
  });
});

test('a quarter is compared over its months, with the returns that were due in it', async () => {
  const months = ['06', '07', '08', '09'];
  const shop = await shopWith(
    months.map((at, index) => sale(`#${index + 1}`, `2026-${at}-10`)),
    linesOf(
      'Payable,TX,2026-06,0.00,8.25,0.00,8.25',
      'Payable,TX,2026-07,8.25,8.25,8.25,8.25',
      'Payable,TX,2026-08,8.25,8.25,8.25,8.25',
      'Payable,TX,2026-09,8.25,8.25,8.25,8.25',
    ),
  );
  for (const at of months) await shop.close(`2026-${at}`);
  expect((await shop.rolled('2026-09'))['TX']).toEqual([8.25, 8.25, 8.21, -0.04, 8.25, 8.25, 0, '✓ AGREES']);
  await shop.close('2026-Q3');
  expect((await shop.rolled('2026-Q3'))['TX']).toEqual([
    ...[8.25, 24.75, 24.63, -0.12, 8.25, 8.25, 0, '✓ AGREES'],
  ]);
});

describe('the months of the file', () => {
  const SEPTEMBER = 'Payable,TX,2026-09,0.00,8.25,0.00,8.25';
  const OCTOBER = 'Payable,TX,2026-10,8.25,0.00,8.25,0.00';

  test('continue each other, and the books of the month before', async () => {
    const shop = await shopWith([sale('#1', '2026-09-10')], linesOf(SEPTEMBER));
    await shop.close('2026-09');
    const foundWith = async (...rows: readonly string[]): Promise<readonly string[]> => {
      await shop.write('balances.csv', linesOf(...rows));
      return shop.found('2026-10');
    };
    expect(await foundWith(SEPTEMBER, OCTOBER)).toEqual([]);
    expect((await shop.rolled('2026-10'))['TX']).toEqual([8.25, 0, 8.21, -0.04, 0, 0, 0, '✓ AGREES']);
    expect(await foundWith(SEPTEMBER, 'Payable,TX,2026-10,9.25,0.00,8.25,1.00')).toEqual([
      'ledger-opening 3 Payable: 2026-10 opens with 9.25, and the month before closes with 8.25',
    ]);
    const changed = 'Payable,TX,2026-09,0.00,9.25,0.00,9.25';
    expect(await foundWith(changed, 'Payable,TX,2026-10,9.25,0.00,8.25,1.00')).toEqual([
      'ledger-opening 3 Payable: 2026-10 opens with 9.25, and the month before closes with 8.25',
    ]);
    expect(await foundWith('Other,NV,2026-10,0.00,0.00,0.00,0.00')).toEqual([
      'ledger-gap 0 Payable: no row for 2026-10 that can be used, and each month needs one',
    ]);
    expect((await shop.rolled('2026-10'))['TX']?.slice(-3)).toEqual([null, null, '✕ MONTH MISSING']);
    expect(await shop.verify('2026-10')).toEqual([]);
  });
});

test('rows that cannot be used are found with their line, and counted as rejected', async () => {
  const shop = await shopWith(
    [sale('#1', '2026-10-10')],
    linesOf(
      'Payable,TX,2026-10,0.00,8.25,0.00,8.25',
      'Payable,TX,2026-10,0.00,8.25,0.00,8.25',
      'Payable,NV,2026-11,8.25,0.00,0.00,8.25',
      ',TX,2026-10,0.00,0.00,0.00,0.00',
      'A,Texass,2026-10,0.00,0.00,0.00,0.00',
      'B,TX,2026-13,0.00,0.00,0.00,0.00',
      'C,TX,2026-10,0.00,€5.00,0.00,5.00',
      'D,TX,2026-10,0.00,5.005,0.00,5.005',
      'E,TX,2026-10,-10.00,5.00,0.00,-15.00',
      'F,TX,2026-10,1,234.50,0.00,0.00,1234.50',
      'TOTAL,,,,,,16.50',
    ),
  );
  expect(await shop.found('2026-10')).toEqual(
    [
      '3 the account has a row of 2026-10 on line 2: remove one of them',
      '4 state is "NV", and "TX" on line 2: write the same',
      '5 account is blank',
      '6 state is "Texass", which is not a state',
      '7 month is "2026-13": write it as 2026-10',
      '8 charged is "€5.00": write dollars and cents, such as 1234.50',
      '9 charged is "5.005": write dollars and cents, such as 1234.50; closing is "5.005": write dollars and cents, such as 1234.50',
      '10 opening plus charged less paid is -5.00, and closing is -15.00: what is owed is positive',
      '11 "1234.50" is in no column: write an amount with a comma in quotes',
      '12 month is "": write it as 2026-10',
    ].map((text) => `bad-ledger-row ${text}`),
  );
  const inputs = await shop.rows('Inputs');
  expect(inputs.find((row) => row['Channel'] === 'ledger')).toMatchObject({
    Rows: 11,
    Used: 1,
    Rejected: 10,
  });
  expect(await shop.verify()).toEqual([]);
});

test.each([
  ['no rows', HEADER, 'E_LEDGER_COLUMNS'],
  ['a column twice', `${HEADER},credits\nPayable,TX,2026-10,0,0,0,0,0`, 'E_LEDGER_COLUMNS'],
  ['a column too few', 'account,month,opening,closing\nPayable,2026-10,0,0', 'E_LEDGER_COLUMNS'],
  ['no bytes', '', 'E_LEDGER_COLUMNS'],
  ['bytes that are no text', 'account\u0000,\u0001\u0000\u0000month', 'E_EXPORT_ENCODING'],
])('a file with %s stops the close', async (_what, text, code) => {
  const shop = await shopWith([sale('#1', '2026-10-10')], text);
  expect(await shop.refused('close', '2026-10')).toBe(code);
});
