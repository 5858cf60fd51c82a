import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { preparedMonth } from '../support/prepared-month.ts';
import { LAS_VEGAS } from '../support/shop-exports.ts';
import { withoutLock } from '../support/tieout.ts';

const ORDERS = [{ name: '#1' }, { name: '#2', price: '98.95' }, { name: '#3', refundedOn: '2026-10-20' }];
const TOO_MUCH_TAX = { name: '#4', tax: '99.99' };

const closedMonth = preparedMonth({ orders: ORDERS }, (shop) => shop.told(0, 'close', '2026-10'));

describe('locking a period', () => {
  test('freezes it: its folder stays as it is whatever exports, configuration and state say later', async () => {
    const shop = await closedMonth();
    const closed = await shop.files();
    expect(await shop.told(0, 'lock', '2026-10')).toMatchObject({ period: '2026-10', new: true, records: 4 });
    const before = await shop.files();
    expect(withoutLock(before)).toEqual(closed);
    expect(before.size).toBe(closed.size + 1);
    expect(await shop.verify()).toEqual([]);

    await shop.change({
      orders: [{ name: '#1' }, { name: '#2', price: '97.95', to: LAS_VEGAS }],
      settings: { registrations: ['CA', 'NV'].map((state) => ({ state, since: '2019-01-01' })) },
    });
    const again = await shop.run('close', '2026-10');
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' });
    expect(await shop.files()).toEqual(before);

    await rm(join(shop.folder, '.tieout'), { recursive: true });
    const emptied = await shop.run('close', '2026-10');
    expect([emptied.code, emptied.stdout]).toEqual([0, expect.stringContaining('4 records created again')]);
    expect(await shop.files()).toEqual(before);
    await rm(shop.book());
    expect(await shop.refused('close', '2026-10')).toBe('E_LOCKED_OUTPUT');
    await rm(shop.out(), { recursive: true });
    expect(await shop.refused('close', '2026-11')).toBe('E_LOCK_UNKNOWN');
  });

  test('comes in the order of the days, and a month that is closed before the quarter that has it', async () => {
    const shop = await month({ orders: [{ name: '#1', at: '2026-09-10' }, { name: '#2' }] });
    for (const period of ['2026-09', '2026-Q3', '2026-10']) await shop.close(period);
    const known = ['--open-exceptions', 'known'];
    expect(await shop.refused('lock', '2026-10', ...known)).toBe('E_PERIOD_EARLIER_OPEN');
    const quarter = await shop.run('lock', '2026-Q3', ...known);
    expect([quarter.code, quarter.stderr]).toEqual([
      2,
      expect.stringMatching(
        /E_PERIOD_EARLIER_OPEN: .* 2026-09 is closed and not locked\.\n.*`tieout lock 2026-09 .* or remove its folder/,
      ),
    ]);
    await rm(shop.out('2026-09'), { recursive: true });
    await shop.run('close', '2026-Q3');
    await shop.told(0, 'lock', '2026-Q3', ...known);
    await shop.close();
    await shop.told(0, 'lock', '2026-10', ...known);
  });

  test('says that no one had signed it', async () => {
    const shop = await closedMonth();
    expect(await shop.run('lock', '2026-10')).toMatchObject({
      code: 0,
      stderr: 'No one had signed 2026-10. Once it is locked, it takes no signature.\n',
    });
  });

  test('is refused while something is open, unless somebody says why it may stand', async () => {
    const shop = await month({ orders: [...ORDERS, TOO_MUCH_TAX] });
    expect((await shop.run('close', '2026-10')).code).toBe(1);
    expect(await shop.refused('lock', '2026-10')).toBe('E_PERIOD_OPEN');
    const why = ['--open-exceptions', 'asked the shop', '--as', 'Ada'];
    expect(await shop.told(0, 'lock', '2026-10', ...why)).toMatchObject({
      ...{ open: 1, why: 'asked the shop', as: 'Ada' },
    });
    expect((await shop.run('status')).stdout).toMatch(/^2026-10 +closed: NOT READY, locked /m);
  });

  test('two at once are one lock', async () => {
    const shop = await closedMonth();
    const both = await Promise.all([shop.run('lock', '2026-10'), shop.run('lock', '2026-10')]);
    expect(both.map(({ code }) => code).filter((code) => code !== 75).length).toBeGreaterThanOrEqual(1);
    expect(both.every(({ code }) => code === 0 || code === 75)).toBe(true);
    expect((await shop.read('locks.ndjson')).split('\n')).toHaveLength(2);
    expect(await shop.told(0, 'lock', '2026-10')).toMatchObject({ new: false });
  });
});
