import { expect, test } from 'vitest';
import { amendLate, carryLate } from '../support/decisions.ts';
import { messagesOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { sheetText } from '../support/sheets.ts';
import type { Order } from '../support/shop-exports.ts';

test('a tax that was changed after the lock is said, and what takes the filed record back is no refund', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  await shop.close('2026-10');
  await shop.told(0, 'lock', '2026-10');
  await shop.change({
    orders: [
      { name: '#1', tax: '7.25' },
      { name: '#2', at: '2026-11-02' },
    ],
  });
  const said =
    'Late arrival: of 2026-10-10, changed after 2026-10 was locked: 0.00 gross, -3.50 tax collected, 0.00 tax due';
  expect(messagesOf(await shop.close('2026-11'), 'R17')).toEqual([`${said}; answer it in decisions.csv`]);
  await carryLate(shop, '2026-11');
  const carried = await shop.close('2026-11');
  expect(messagesOf(carried, 'R17')).toEqual([]);
  expect(messagesOf(carried, 'late-filed')).toEqual([`${said}, filed here`]);
  expect(messagesOf(carried, 'over-refund')).toEqual([]);
  expect(await shop.rows('Refunds', '2026-11')).toEqual([]);
  expect(await shop.verify('2026-11')).toEqual([]);
});

test.each([
  ['next', '2026-11', 'filed here'],
  ['amend', '2026-10-amended-1', 'put into an amended version'],
])('what came late and is decided asks for nothing: %s', async (choice, version, where) => {
  const first: Order = { name: '#1' };
  const others: readonly Order[] = [
    { name: '#2', at: '2026-10-20' },
    { name: '#3', at: '2026-11-02' },
  ];
  const shop = await month({ orders: [first] });
  await shop.close('2026-10');
  await shop.told(0, 'lock', '2026-10');
  await shop.change({ orders: [first, ...others] });
  const found = async (period: string) =>
    (await shop.rows('Exceptions', period)).filter((row) => String(row['What']).startsWith('Late arrival: '));
  await shop.told(1, 'close', '2026-11');
  expect(await found('2026-11')).toMatchObject([
    {
      ...{ Code: 'R17', Severity: 'error', 'Effect on tax': 10.75, Decision: 'open' },
      // Decide has it.
      'What to do': null,
    },
  ]);
  expect(await sheetText(shop.book('2026-11'), 'Decide')).toContain(
    'Amend the return of that period, or carry the sale into the next one.',
  );
  if (choice === 'next') await carryLate(shop, '2026-11');
  else await amendLate(shop, '2026-10', '2026-11');
  await shop.told(0, 'close', '2026-11');
  const decided = await found(version);
  expect(decided).toMatchObject([
    {
      ...{ Code: 'late-filed', Severity: 'notice', 'Effect on tax': null, Decision: null },
      'What to do': 'Nothing; it is filed with these books by decision.',
    },
  ]);
  expect(decided[0]?.['What']).toBe(
    `Late arrival: of 2026-10-20, new after 2026-10 was locked: 100.00 gross, 10.75 tax collected, 10.75 tax due, ${where}`,
  );
  expect(await shop.verify(version)).toEqual([]);
});
