import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

test('what a marketplace collects is its own to remit: nothing is expected of the seller, and nothing is asked', async () => {
  const shop = await month({
    orders: [{ name: '#1' }, { name: '#2', tax: '0.00' }],
    channel: { marketplace: true },
  });
  expect(await shop.close()).toMatchObject({
    exit_code: 0,
    calculations: { asked: 0, skipped: 2 },
    totals: { gross: '200.00', collected: '0.00', expected: '0.00', variance: '0.00' },
  });
  const [state] = await shop.rows('By state');
  expect([state?.['Gross'], state?.['Taxable'], state?.['Collected']]).toEqual([200, 0, 0]);
});
