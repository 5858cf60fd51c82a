import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { sheetText } from '../support/sheets.ts';
import { storedCells } from '../support/stored-cells.ts';

test('an amended month of a quarter that was filed is not due: its tax was filed with the quarter', async () => {
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
  expect(pay).toMatch(
    /Not from this close: CDTFA-401-A of 2025-Q3 was filed with the tax of this period\. That tax is now \d+\.\d\d\. `tieout close 2025-Q3 --amend` makes/,
  );
  expect(await sheetText(shop.book(amended, 'filing-summary'), 'CA CDTFA-401-A')).toContain(
    'and that return was filed: its amended return has the figures to file.',
  );
  const { stdout: status } = await shop.run('status', amended);
  expect(status).toMatch(/ CA {2,}NOT DUE {2,}filed with 2025-Q3/);
  // The registrations are those of the locked month.
  expect(status).not.toContain(' TX ');
  const cells = await storedCells(shop.book(amended, 'filing-summary'));
  const notDue = cells.filter(({ place, value }) => place.startsWith('Pay!') && value === '○ NOT DUE');
  const toPay = notDue.map(({ place }) => place.replace('!C', '!D'));
  expect(toPay).toHaveLength(1);
  const amounts = cells.filter(({ place, value }) => toPay.includes(place) && typeof value === 'number');
  expect(amounts).toEqual([]);
  expect(await shop.verify(amended)).toEqual([]);
});
