import { describe, expect, test } from 'vitest';
import { month, type Settings } from '../support/month.ts';
import { LAS_VEGAS, type Order } from '../support/shop-exports.ts';

const ACCOUNTS = {
  CA: 'California Department of Tax and Fee Administration Payable',
  NV: 'Nevada Department of Taxation Payable',
} as const;

/** An entry as the General Ledger of QuickBooks Online prints it. */
type Entry = readonly [date: string, type: string, num: string, memo: string, split: string, amount: string];

const cents = (text: string): number => Math.round(Number(text) * 100);
const dollars = (amount: number): string => (amount / 100).toFixed(2);

/** The General Ledger of QuickBooks Online with the accounts of sales tax. */
const generalLedger = (
  days: string,
  accounts: Readonly<Record<string, { readonly opening?: string; readonly entries: readonly Entry[] }>>,
): string => {
  const lines = ['Shop LLC,,,,,,,,', 'General Ledger,,,,,,,,', `"${days}",,,,,,,,`, ''];
  lines.push(',Transaction date,Transaction type,Num,Name,Description,Split,Amount,Balance');
  lines.push(
    'Checking,,,,,,,,',
    ',09/01/2026,Deposit,,,,Sales,100.00,100.00',
    'Total for Checking,,,,,,,$100.00,',
  );
  for (const [name, { opening, entries }] of Object.entries(accounts)) {
    lines.push(`${name},,,,,,,,`);
    if (opening !== undefined) lines.push(`,Beginning Balance,,,,,,,${opening}`);
    let balance = cents(opening ?? '0');
    for (const [date, type, num, memo, split, amount] of entries) {
      balance += cents(amount);
      lines.push(`,${date},${type},${num},,${memo},${split},${amount},${dollars(balance)}`);
    }
    const total = entries.reduce((sum, entry) => sum + cents(entry[5]), 0);
    lines.push(`Total for ${name},,,,,,,${dollars(total)},`);
  }
  lines.push('TOTAL,,,,,,,,', '', '"Accrual basis Monday, November 2, 2026 09:00 AM GMT-08:00",,,,,,,,');
  return `${lines.join('\n')}\n`;
};

const invoice = (date: string, order: string, amount = '10.75'): Entry => [
  date,
  'Invoice',
  order,
  '',
  'Accounts Receivable (A/R)',
  amount,
];

const BOOKS: Settings = {
  registrations: ['CA', 'NV'].map((state) => ({ state, since: '2019-01-01' })),
  books: {
    files: ['ledger-*.csv'],
    accounts: Object.entries(ACCOUNTS).map(([state, account]) => ({ account, state })),
  },
};

const ORDERS: readonly Order[] = [
  { name: '#1001', at: '2026-09-10' },
  { name: '#1002', at: '2026-09-30' },
  { name: '#1003', at: '2026-09-12', to: LAS_VEGAS, tax: '8.38' },
  { name: '#1011', at: '2026-10-05' },
  { name: '#1012', at: '2026-10-06' },
  { name: '#1013', at: '2026-10-07', to: LAS_VEGAS, tax: '8.38' },
];

/** The figures of the sheet by balance and line: what Tieout has, what the ledger has, and what explains the rest. */
const rolled = async (shop: Awaited<ReturnType<typeof month>>, period: string) => {
  const rows = await shop.rows('Roll-forward', period, 'filing-summary');
  return Object.fromEntries(
    rows.map((row) => [
      `${row['Balance']} ${row['Line']}`,
      [row['Tieout'], row['Ledger'], row['Explained'], row['Unexplained']],
    ]),
  );
};

const causes = async (shop: Awaited<ReturnType<typeof month>>, period: string) =>
  (await shop.rows('Roll-forward causes', period, 'filing-summary')).map((row) => [
    `${row['Balance']} ${row['Line']}`,
    row['Cause'],
    row['Amount'],
  ]);

describe('the sales tax payable beside the ledger', () => {
  test('ties out over two months, and shows the cause of what differs', async () => {
    const shop = await month({ orders: ORDERS, settings: BOOKS });
    const september = generalLedger('September 1-30, 2026', {
      [ACCOUNTS.CA]: { opening: '12.00', entries: [invoice('09/10/2026', '1001')] },
      [ACCOUNTS.NV]: { entries: [invoice('09/12/2026', '1003', '8.38')] },
    });
    await shop.write('ledger-09.csv', september);
    await shop.close('2026-09');
    console.log(await rolled(shop, '2026-09'), await causes(shop, '2026-09'));
    console.log(JSON.stringify(await shop.rows('Returns', '2026-09', 'filing-summary')));
    expect(await shop.verify('2026-09')).toEqual([]);
    await shop.write(
      'ledger-10.csv',
      generalLedger('October 1-31, 2026', {
        [ACCOUNTS.CA]: {
          opening: '22.75',
          entries: [
            invoice('10/01/2026', '1002'),
            invoice('10/05/2026', '1011'),
            ['10/30/2026', 'Sales Tax Payment', '', 'September', 'Checking', '-21.50'],
          ],
        },
        [ACCOUNTS.NV]: {
          opening: '8.38',
          entries: [
            ['10/30/2026', 'Sales Tax Payment', '', 'September', 'Checking', '-8.36'],
            invoice('10/07/2026', '1013', '8.38'),
          ],
        },
      }),
    );
    await shop.close('2026-10');
    console.log(await rolled(shop, '2026-10'), await causes(shop, '2026-10'));
    expect(await shop.verify('2026-10')).toEqual([]);
  });
});
