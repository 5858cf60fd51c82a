import { expect, test } from 'vitest';
import { carryLate } from '../support/decisions.ts';
import { messagesOf } from '../support/figures.ts';
import { month } from '../support/month.ts';

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
