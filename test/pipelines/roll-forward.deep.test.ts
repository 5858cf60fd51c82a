import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { month, type Settings } from '../support/month.ts';
import { LAS_VEGAS, type Order, type Place } from '../support/shop-exports.ts';

const ACCOUNTS = {
  NV: 'Nevada Department of Taxation Payable',
  TX: 'Texas State Comptroller Payable',
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

const AUSTIN: Place = { city: 'Austin', zip: '78701', state: 'TX' };

/** A shop with sales in Texas, 8.25 of tax each, and its ledger. */
const shopWith = async (orders: readonly Order[], accounts: readonly Settings[], more: Settings = {}) => {
  const settings = {
    registrations: ['NV', 'TX'].map((state) => ({ state, since: '2019-01-01' })),
    books: { files: ['ledger-*.csv'], accounts },
    ...more,
  };
  const shop = await month({
    orders: orders.map((order) => ({ to: AUSTIN, tax: '8.25', ...order })),
    settings,
  });
  return {
    ...shop,
    ledger: (name: string, text: string) => shop.write(`ledger-${name}.csv`, text),
    /** By balance and line: what Tieout has, what the ledger has, what is explained of the rest, and what is not. */
    rolled: async (period: string) => {
      const rows = await shop.rows('Roll-forward', period, 'filing-summary');
      return Object.fromEntries(
        rows.map((row) => [
          `${row['Balance']} ${row['Line']}`,
          [row['Tieout'], row['Ledger'], row['Explained'], row['Unexplained']],
        ]),
      );
    },
    causes: async (period: string) =>
      (await shop.rows('Roll-forward causes', period, 'filing-summary')).map((row) => [
        `${row['Balance']} ${row['Line']}`,
        row['Cause'],
        row['Amount'],
      ]),
  };
};

const TEXAS = [{ account: ACCOUNTS.TX, state: 'TX' }];
const BOTH = Object.entries(ACCOUNTS).map(([state, account]) => ({ account, state }));

const ROWS = 'Date,Account,Amount,Memo';
const rowsOf = (...rows: readonly (readonly [date: string, amount: string, memo: string])[]): string =>
  [ROWS, ...rows.map(([date, amount, memo]) => `${date},${ACCOUNTS.TX},${amount},${memo}`)].join('\n');

describe('the sales tax payable beside a ledger that books invoices', () => {
  test('ties out over two months, and each difference has its cause', async () => {
    const shop = await shopWith(
      [
        { name: '#1001', at: '2026-09-10' },
        { name: '#1002', at: '2026-09-30' },
        { name: '#1003', at: '2026-09-12', to: LAS_VEGAS, tax: '8.38' },
        { name: '#1011', at: '2026-10-05' },
        { name: '#1012', at: '2026-10-06' },
        { name: '#1013', at: '2026-10-07', to: LAS_VEGAS, tax: '8.38' },
      ],
      BOTH,
    );
    await shop.ledger(
      '09',
      generalLedger('September 1-30, 2026', {
        [ACCOUNTS.TX]: { opening: '12.00', entries: [invoice('09/10/2026', '1001', '8.25')] },
        [ACCOUNTS.NV]: { entries: [invoice('09/12/2026', '1003', '8.38')] },
      }),
    );
    await shop.close('2026-09');
    expect(await shop.rolled('2026-09')).toMatchObject({
      'TX Opening balance': [12, 12, 0, 0],
      'TX Collected': [16.5, 8.25, 8.25, 0],
      'TX Closing balance': [28.5, 20.25, 8.25, 0],
      'NV Closing balance': [8.38, 8.38, 0, 0],
    });
    expect(await shop.causes('2026-09')).toEqual([['TX Collected', 'Not in the ledger', 8.25]]);
    expect(await shop.verify('2026-09')).toEqual([]);

    const returns = await shop.rows('Returns', '2026-09', 'filing-summary');
    const due = (state: string) => String(returns.find((row) => row['State'] === state)?.['Amount due']);
    expect([due('NV'), due('TX')]).toEqual(['8.38', '16.42']);
    await shop.ledger(
      '10',
      generalLedger('October 1-31, 2026', {
        [ACCOUNTS.TX]: {
          opening: '20.25',
          entries: [
            invoice('10/01/2026', '1002', '8.25'),
            invoice('10/05/2026', '1011', '8.50'),
            ['10/20/2026', 'Sales Tax Payment', '', 'September', 'Checking', '-16.42'],
          ],
        },
        [ACCOUNTS.NV]: {
          opening: '8.38',
          entries: [
            invoice('10/07/2026', '1013', '8.38'),
            ['10/30/2026', 'Sales Tax Payment', '', 'September', 'Checking', '-8.36'],
          ],
        },
      }),
    );
    await shop.close('2026-10');
    expect(await shop.rolled('2026-10')).toMatchObject({
      'TX Opening balance': [28.5, 20.25, 8.25, 0],
      'TX Collected': [16.5, 16.75, -0.25, 0],
      'TX Remitted': [-16.42, -16.42, 0, 0],
      'TX Discounts': [-0.08, 0, -0.08, 0],
      'NV Remitted': [0, -8.36, 8.36, 0],
      'NV Closing balance': [16.76, 8.4, 8.36, 0],
    });
    expect(await shop.causes('2026-10')).toEqual([
      ['NV Remitted', 'Remittance matches no filed return', 8.36],
      ['TX Opening balance', 'Difference of the month before', 8.25],
      ['TX Collected', 'Posted with another amount', -0.25],
      ['TX Collected', 'Posted in another month', -8.25],
      ['TX Collected', 'Not in the ledger', 8.25],
      ['TX Discounts', 'Discount not booked', -0.08],
    ]);
    const figures = await shop.close('2026-10');
    expect(figures.exceptions.filter(({ code }) => code.startsWith('ledger'))).toMatchObject([
      { code: 'ledger-return-unpaid', state: 'NV' },
    ]);
    expect(await shop.verify('2026-10')).toEqual([]);
    expect((await shop.rows('Checks', '2026-10', 'filing-summary')).at(-1)).toMatchObject({ Result: 'PASS' });

    await shop.ledger('10', (await shop.read('ledger-10.csv')).replace(/^,10\/05.*\n/m, ''));
    const again = await shop.close('2026-10');
    expect(again.exceptions).toContainEqual(
      expect.objectContaining({ code: 'ledger-total', file: 'ledger-10.csv' }),
    );
    expect((await shop.rolled('2026-10'))['TX Collected']).toEqual([16.5, 8.25, 8.25, 0]);
  });
});

test.each(['one account', 'an account for each line'])(
  'who books what the journal says, in %s, has no difference',
  async (books) => {
    const shop = await shopWith(
      [
        { name: '#1001', at: '2026-09-10' },
        { name: '#1002', at: '2026-09-12', tax: '0.00' },
        { name: '#1003', at: '2026-09-14' },
      ],
      TEXAS,
      {
        registrations: [
          {
            ...{ state: 'TX', since: '2019-01-01', prepayments: [{ period: '2026-09', opening: '9.00' }] },
            purchases: [{ period: '2026-09', amount: '100.00' }],
          },
        ],
      },
    );
    await shop.ledger('09', rowsOf(['2026-09-30', '16.50', 'Sales']));
    await shop.close('2026-09');
    const lines = (await shop.rows('Journal', '2026-09', 'filing-summary')).filter(
      (row) => (row['Account'] === 'Sales tax payable') === (books !== 'one account'),
    );
    const entries = lines.map((row): [string, string, string] => {
      const amount = Number(row['Debit']) - Number(row['Credit']);
      const signed = books === 'one account' ? amount : -amount;
      return ['2026-10-20', signed.toFixed(2), `"${row['What for']}"`];
    });
    expect(entries).toHaveLength(books === 'one account' ? 5 : 1);
    await shop.ledger('10', rowsOf(...entries));
    await shop.close('2026-10');
    const rolled = await shop.rolled('2026-10');
    expect(Object.values(rolled).flatMap(([, , ...differences]) => differences)).toEqual(Array(12).fill(0));
    expect(rolled['TX Closing balance']).toEqual([0, 0, 0, 0]);
    expect(await shop.verify('2026-10')).toEqual([]);
  },
);

test.each([
  ['in its own month', '2026-09-20', ['TX Opening balance', 'Ledger changed in a closed month', -8.25]],
  ['when it came', '2026-10-02', ['TX Collected', 'Posted in another month', -8.25]],
] as const)(
  'an amended return is paid by its difference, and its late sale is booked %s',
  async (_when, date, cause) => {
    const order = { name: '#1001', at: '2026-09-10', to: AUSTIN, tax: '8.25' };
    const shop = await shopWith([order], TEXAS);
    await shop.ledger(
      '09',
      rowsOf(['2026-09-01', '0.00', 'Opening balance'], ['2026-09-10', '8.25', 'Sales of the day']),
    );
    await shop.close('2026-09');
    await shop.run('lock', '2026-09', '--as', 'Dana');
    await shop.change({ orders: [order, { ...order, name: '#1002', at: '2026-09-20' }] });
    await shop.run('late', '2026-09', '--amend', '--as', 'Dana');
    await shop.ledger(
      '10',
      rowsOf(
        [date, '8.25', 'A sale that came late'],
        ['2026-10-20', '-8.21', 'Payment to the state'],
        ['2026-10-20', '-0.08', 'Timely discount'],
        ['2026-10-28', '-8.21', 'Payment of the amended return'],
      ),
    );
    await shop.close('2026-10');
    const rolled = await shop.rolled('2026-10');
    expect(rolled).toMatchObject({
      'TX Remitted': [-16.42, -16.42, 0, 0],
      'TX Closing balance': [0, 0, 0, 0],
    });
    const causes = await shop.causes('2026-10');
    expect(causes).toHaveLength(2);
    expect(causes).toEqual(
      expect.arrayContaining([cause, ['TX Opening balance', 'Filed in an amended version', 8.25]]),
    );
    expect(await shop.verify('2026-10')).toEqual([]);
    await shop.close('2026-11');
    expect(Object.values(await shop.rolled('2026-11')).flat()).toEqual(Array(24).fill(0));
  },
);

describe('the sales tax payable beside a ledger that books sums', () => {
  const ORDERS: readonly Order[] = ['05', '06', '06', '07', '08', '20', '31'].map((day, index) => ({
    name: `#${1001 + index}`,
    at: `2026-10-${day}`,
  }));

  test('finds the day that is missing, payouts of several days, and what the next month has', async () => {
    const shop = await shopWith(ORDERS, TEXAS);
    await shop.ledger(
      'rows',
      rowsOf(
        ['2026-10-05', '8.25', 'Sales of the day'],
        ['2026-10-09', '33.00', 'Payout'],
        ['2026-10-11', '7.00', 'What is this'],
        ['2026-11-01', '8.25', 'Sales of the day'],
      ),
    );
    const figures = await shop.close();
    expect(await shop.rolled('2026-10')).toMatchObject({
      'TX Opening balance': [0, 0, 0, 0],
      'TX Collected': [57.75, 48.25, 16.5, -7],
    });
    expect(await shop.causes('2026-10')).toEqual([
      ['TX Collected', 'Posted in another month', 8.25],
      ['TX Collected', 'Unexplained', -7],
      ['TX Collected', 'Day missing in the ledger', 8.25],
    ]);
    expect(figures.exceptions).toContainEqual(
      expect.objectContaining({ code: 'ledger-unexplained', state: 'TX' }),
    );
    expect(await shop.verify()).toEqual([]);
  });

  test('ties out with one sum for the month, and says what it cannot explain of another', async () => {
    const shop = await shopWith(ORDERS, [{ account: ACCOUNTS.TX }]);
    await shop.ledger(
      'rows',
      rowsOf(['2026-10-01', '100.00', 'Opening balance'], ['2026-10-31', '57.75', 'Sales']),
    );
    await shop.close();
    expect(await shop.rolled('2026-10')).toMatchObject({
      'Other states Closing balance': [157.75, 157.75, 0, 0],
    });
    await shop.ledger('rows', rowsOf(['2026-10-31', '60.00', 'Sales']));
    await shop.close();
    expect(await shop.causes('2026-10')).toEqual([['Other states Collected', 'Unexplained', -2.25]]);
  });

  test('rejects rows with their file and line, and names tax of states without an account', async () => {
    const shop = await shopWith([...ORDERS, { name: '#1020', to: LAS_VEGAS, tax: '8.38' }], TEXAS);
    await shop.ledger('rows', rowsOf(['2026-10-32', '8.25', 'x'], ['2026-10-31', '57.75', 'Sales']));
    const figures = await shop.close();
    expect(figures.exit_code).toBe(1);
    expect(figures.exceptions).toContainEqual(
      expect.objectContaining({ code: 'bad-ledger-row', file: 'ledger-rows.csv', line: 2 }),
    );
    expect(await shop.causes('2026-10')).toEqual([
      ['No account Collected', 'No account for the state', 8.38],
    ]);
    const inputs = await shop.rows('Inputs');
    expect(inputs.find((row) => row['Channel'] === 'books')).toMatchObject({
      Rows: 2,
      Used: 1,
      Rejected: 1,
    });
    expect(await shop.verify()).toEqual([]);
  });
});

test('without a ledger there is no roll-forward', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  await shop.close();
  const sheets = [...(await shop.tables('2026-10', 'filing-summary')).keys()];
  expect(sheets.filter((name) => name.startsWith('Roll'))).toEqual([]);
  expect(shop.log('report').filter((line) => JSON.stringify(line).includes('rollForward'))).toEqual([]);
});

test.each([
  ['2026-09-15', [0, 0, 0, 0]],
  ['2026-10-15', [0, 0, 8.25, 0]],
] as const)(
  'an amended return that was filed on %s, about when the ledger is first rolled forward, counts once',
  async (filed, opening) => {
    const order = { name: '#1001', at: '2026-08-10', to: AUSTIN, tax: '8.25' };
    const shop = await shopWith([order], TEXAS);
    await shop.change({ settings: { registrations: [{ state: 'TX', since: '2019-01-01' }] } });
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${filed}T12:00:00Z`) });
    onTestFinished(() => void vi.useRealTimers());
    await shop.close('2026-08');
    await shop.run('lock', '2026-08', '--as', 'Dana');
    await shop.change({ orders: [order, { ...order, name: '#1002', at: '2026-08-20' }] });
    await shop.run('late', '2026-08', '--amend', '--as', 'Dana');
    vi.useRealTimers();

    await shop.change({
      settings: {
        registrations: [{ state: 'TX', since: '2019-01-01' }],
        books: { files: ['ledger-*.csv'], accounts: TEXAS },
      },
    });
    await shop.ledger('09', rowsOf(['2026-09-01', '0.00', 'Opening balance']));
    await shop.ledger('10', rowsOf(['2026-10-20', '0.00', 'Nothing']));
    await shop.close('2026-09');
    expect(Object.values(await shop.rolled('2026-09')).flat()).toEqual(Array(24).fill(0));
    await shop.close('2026-10');
    const [, , explained] = (await shop.rolled('2026-10'))['TX Opening balance'] ?? [];
    expect(explained).toBe(opening[2]);
  },
);
