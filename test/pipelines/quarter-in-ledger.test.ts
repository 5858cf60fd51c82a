import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

const MONTHS = ['2025-07', '2025-08', '2025-09'] as const;
const PAYABLE = 'Sales tax payable';

/** A shop that files by the quarter, with 10.25 of tax in each month, closed month by month beside its ledger. */
const quarterlyShop = async () => {
  const shop = await month({
    orders: MONTHS.map((at, index) => ({ name: `#${index + 1}`, at: `${at}-10`, tax: '10.25' })),
    settings: {
      registrations: [{ state: 'CA', since: '2019-01-01', frequency: 'quarterly' }],
      books: { files: ['ledger.csv'], accounts: [{ account: PAYABLE, state: 'CA' }] },
    },
  });
  const entries = [
    ['2025-07-01', '0.00', 'Opening balance'],
    ...MONTHS.map((at) => [`${at}-10`, '10.25', 'Sales of the day']),
    ['2025-10-31', '-31.00', 'Payment to the state'],
    ['2025-10-31', '0.25', 'Rounding of the return'],
  ];
  const rows = entries.map(([date, amount, memo]) => `${date},${PAYABLE},${amount},${memo}`);
  await shop.write('ledger.csv', `${['Date,Account,Amount,Memo', ...rows].join('\n')}\n`);
  for (const label of MONTHS) await shop.close(label);
  return {
    ...shop,
    rolled: async (period: string) =>
      (await shop.rows('Roll-forward', period, 'filing-summary')).map((row) => [
        row['Line'],
        row['Tieout'],
        row['Ledger'],
        row['Unexplained'],
      ]),
    causes: async (period: string) =>
      (await shop.rows('Roll-forward causes', period, 'filing-summary')).flatMap((row) => row['Cause'] ?? []),
  };
};

test('the payment of a quarter is that of its return, not of its months rounded one by one', async () => {
  const shop = await quarterlyShop();
  await shop.close('2025-Q3');
  const due = await shop.rows('Pay', '2025-Q3', 'filing-summary');
  expect(due.map((row) => row['To pay'])).toEqual([31]);
  await shop.close('2025-10');
  expect(await shop.rolled('2025-10')).toEqual([
    ['Opening balance', 30.75, 30.75, 0],
    ['Collected', 0, 0, 0],
    ['Remitted', -31, -31, 0],
    ['Discounts', 0, 0, 0],
    ['Adjustments', 0.25, 0.25, 0],
    ['Closing balance', 0, 0, 0],
  ]);
  expect(await shop.causes('2025-10')).toEqual([]);
  expect(await shop.verify('2025-10')).toEqual([]);
});

test('a month that was rolled forward before the quarter was closed is made again with its return', async () => {
  const shop = await quarterlyShop();
  await shop.close('2025-10');
  expect(await shop.causes('2025-10')).toContain('Remittance matches no filed return');
  await shop.close('2025-Q3');
  await shop.close('2025-10');
  expect(await shop.causes('2025-10')).toEqual([]);
});
