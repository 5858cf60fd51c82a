import { expect, test } from 'vitest';
import { month } from '../../support/month.ts';

const FILED = { name: '#1', at: '2026-09-10' };
const OPEN = { name: '#2' };

test('a locked month, one that carries what came late for it, and its amended version all hold', async () => {
  const shop = await month({ orders: [FILED, OPEN] });
  await shop.told(0, 'close', '2026-09');
  await shop.told(0, 'lock', '2026-09');
  await shop.change({ orders: [{ ...FILED, price: '120.00' }, { name: '#3', at: '2026-09-30' }, OPEN] });
  const decide = (choice: string) => shop.run('late', '2026-09', choice, '--as', 'Dana', '--reason', 'small');
  expect((await decide('--carry')).stderr).toBe('');
  await shop.close();
  expect([await shop.verify('2026-09'), await shop.verify()]).toEqual([[], []]);
  expect((await shop.manifest()).content.states[0]?.orders).toBeGreaterThan(1);

  await shop.told(0, 'lock', '2026-10', '--open-exceptions', 'known');
  await shop.change({ orders: [{ ...FILED, price: '130.00' }, { name: '#3', at: '2026-09-30' }, OPEN] });
  expect((await decide('--amend')).stderr).toBe('');
  await shop.close('2026-09-amended-1');
  expect([await shop.verify('2026-09'), await shop.verify('2026-09-amended-1')]).toEqual([[], []]);
});
