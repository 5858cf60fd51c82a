import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { sheetText } from '../support/sheets.ts';

test('an amended month of a quarter is not due, and says what makes the return of the quarter', async () => {
  const orders = ['2025-07', '2025-08', '2025-09'].map((at, index) => ({
    ...{ name: `#${index + 1}`, at: `${at}-10`, tax: '10.25' },
  }));
  const quarterly = (state: string) => ({ state, since: '2019-01-01', frequency: 'quarterly' });
  const shop = await month({ orders, settings: { registrations: [quarterly('CA')] } });
  for (const period of ['2025-07', '2025-08', '2025-09', '2025-Q3']) {
    await shop.close(period);
    await shop.told(0, 'lock', period, '--as', 'Dana', '--open-exceptions', 'known');
  }
  await shop.change({
    orders: [...orders, { name: '#4', at: '2025-08-20', tax: '10.25' }],
    settings: { registrations: [quarterly('CA'), quarterly('TX')], policy: { lateItems: 'amend' } },
  });
  await shop.run('close', '2025-08', '--amend');
  const amended = '2025-08-amended-1';
  await shop.told(0, 'lock', amended, '--as', 'Dana', '--open-exceptions', 'known');
  const pay = await sheetText(shop.book(amended, 'filing-summary'), 'Pay');
  expect(pay).toContain(
    'Of 2025-Q3, so far 2025-08-amended-1 alone. `tieout close 2025-Q3` makes it (--amend if locked).',
  );
  const { stdout: status } = await shop.run('status', amended);
  expect(status).toMatch(/ CA {2,}NOT DUE /);
  // The registrations are those of the locked month.
  expect(status).not.toContain(' TX ');
  expect(await shop.verify(amended)).toEqual([]);
});
