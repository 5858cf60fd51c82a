import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Month, month } from '../support/month.ts';
import { preparedMonth } from '../support/prepared-month.ts';
import { LAS_VEGAS } from '../support/shop-exports.ts';
import { withoutLock } from '../support/without-lock.ts';

const ORDERS = [{ name: '#1' }, { name: '#2', price: '98.95' }, { name: '#3', refundedOn: '2026-10-20' }];
const TOO_MUCH_TAX = { name: '#4', tax: '99.99' };

const closedMonth = preparedMonth({ orders: ORDERS }, (shop) => shop.told(0, 'close', '2026-10'));

const workspaceOf = ({ folder }: Month) => new DatabaseSync(join(folder, '.tieout', 'workspace.db'));

describe('locking a period', () => {
  test('freezes it: the same bytes come out whatever exports, configuration and database say later', async () => {
    const shop = await closedMonth();
    const closed = await shop.files();
    expect(await shop.told(0, 'lock', '2026-10')).toMatchObject({ period: '2026-10', new: true, sales: 4 });
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

    for (const gone of [shop.out(), shop.book()]) {
      await rm(gone, { recursive: true });
      expect((await shop.run('close', '2026-10')).code).toBe(0);
      expect(await shop.files()).toEqual(before);
    }
  });

  test('says before it that no one has signed, and locks all the same where no one can answer', async () => {
    const shop = await closedMonth();
    const { code, stderr, printed } = await shop.run('lock', '2026-10');
    expect([code, stderr]).toEqual([
      0,
      `No one has signed 2026-10, and once it is locked it takes no signature: \`tieout sign 2026-10 --as NAME --role preparer --config ${shop.config}\` comes first. Later it has to be unlocked for that, saying why, and locked again.\n`,
    ]);
    expect(printed.indexOf('No one has signed')).toBeLessThan(printed.indexOf('2026-10 is locked'));
    expect((await shop.run('lock', '2026-10')).stderr).toBe('');
  });

  test('says when the closed period before is not locked, and verify that the locked files stay', async () => {
    const september = { name: '#1', at: '2026-09-10' };
    const shop = await month({ orders: [september, { name: '#2' }] });
    for (const period of ['2026-09', '2026-10']) await shop.close(period);
    const { stdout } = await shop.run('lock', '2026-10');
    expect(stdout).toContain('2026-09, the period before, is not locked');
    expect(await shop.verify()).toEqual([]);

    await shop.change({ orders: [{ ...september, price: '200.00' }, { name: '#2' }] });
    await shop.close('2026-09');
    expect(await shop.verify()).toEqual([
      '2026-09 is not what this period was built on: it was changed, or closed again since. The files of this period are as they were locked',
    ]);
    const first = await shop.run('lock', '2026-09');
    expect(first.stdout).not.toContain('the period before');
  });

  test('does not ask for the lock of a month that a locked quarter has', async () => {
    const shop = await month({ orders: [{ name: '#1', at: '2026-09-10' }, { name: '#2' }] });
    for (const period of ['2026-09', '2026-Q3', '2026-10']) await shop.close(period);
    await shop.told(0, 'lock', '2026-Q3', '--open-exceptions', 'known');
    const { stdout } = await shop.run('lock', '2026-10', '--open-exceptions', 'known');
    expect(stdout).toContain('2026-10 is locked');
    expect(stdout).not.toContain('the period before');
  });

  test('asks the person at a terminal before it locks what no one has signed', async () => {
    const shop = await closedMonth();
    const asked: string[] = [];
    const lock = (answer: string) =>
      shop.runWith(
        {
          ask: async (question) => {
            asked.push(question);
            return answer;
          },
        },
        'lock',
        '2026-10',
      );
    const refused = await lock('');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(
        /E_UNSIGNED: 2026-10 is not signed, and was not locked\.\nSign it with `tieout sign /,
      ),
    ]);
    expect((await shop.run('status')).stdout).not.toContain('locked');
    expect((await lock('y')).stdout).toContain('2026-10 is locked');
    expect(asked).toEqual(Array(2).fill('Lock 2026-10 without a signature? [y/N] '));
  });

  test('asks nothing of a period that is signed', async () => {
    const shop = await closedMonth();
    expect((await shop.run('sign', '2026-10', '--as', 'Dana', '--role', 'preparer')).code).toBe(0);
    const { code, stderr } = await shop.run('lock', '2026-10');
    expect([code, stderr]).toEqual([0, '']);
  });

  test('is refused when the period was never closed', async () => {
    const refused = await (await month({ orders: ORDERS })).run('lock', '2026-10');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('E_PERIOD_NOT_CLOSED')]);
  });

  test('is refused when the workbooks are not from the present state', async () => {
    const shop = await closedMonth();
    await appendFile(shop.book(), 'x');
    expect(await shop.refused('lock', '2026-10')).toBe('E_PERIOD_STALE');
    expect((await shop.run('close', '2026-10')).code).toBe(0);

    await shop.change({ settings: { policy: { unexplained: '5.00' } } });
    expect(await shop.refused('lock', '2026-10')).toBe('E_PERIOD_STALE');
    await shop.change({ settings: {} });

    const workspace = workspaceOf(shop);
    const { changes } = workspace.prepare("delete from page where stage = 'reconciled'").run();
    workspace.close();
    expect(changes).toBeGreaterThan(0);
    expect(await shop.refused('lock', '2026-10')).toBe('E_PERIOD_STALE');
    expect((await shop.run('close', '2026-10')).code).toBe(0);
    expect((await shop.run('lock', '2026-10')).code).toBe(0);
  });

  test('is refused while something is open, unless somebody says why it may stand', async () => {
    const shop = await month({ orders: [...ORDERS, TOO_MUCH_TAX] });
    expect((await shop.run('close', '2026-10')).code).toBe(1);
    expect(await shop.refused('lock', '2026-10')).toBe('E_PERIOD_OPEN');
    const why = ['--open-exceptions', 'asked the shop', '--as', 'Ada'];
    expect(await shop.told(0, 'lock', '2026-10', ...why)).toMatchObject({
      open: [{ record: '#4', why: 'asked the shop' }],
    });
    expect((await shop.run('status')).stdout).toMatch(
      /2026-10 +locked, digest [0-9a-f]{12}\n2026-10 +locked on .* by Ada: asked the shop/,
    );
  });

  test('is refused where days are locked already under another name', async () => {
    const shop = await closedMonth();
    expect((await shop.run('lock', '2026-10')).code).toBe(0);
    await shop.change({ orders: [...ORDERS, { ...TOO_MUCH_TAX, at: '2026-11-01' }] });
    expect((await shop.run('close', '2026-Q4', '--quiet')).code).toBe(1);
    expect(await shop.refused('lock', '2026-Q4', '--open-exceptions', 'a try')).toBe('E_PERIOD_OVERLAP');
  });

  test('two at once are one lock', async () => {
    const shop = await closedMonth();
    const both = await Promise.all([shop.run('lock', '2026-10'), shop.run('lock', '2026-10')]);
    expect(both.map(({ code }) => code).filter((code) => code !== 75).length).toBeGreaterThanOrEqual(1);
    expect(both.every(({ code }) => code === 0 || code === 75)).toBe(true);
    const { locks, events } = await shop.told<{ locks: unknown[]; events: unknown[] }>(0, 'status');
    expect([locks.length, events.length]).toEqual([1, 1]);
    expect(await shop.told(0, 'lock', '2026-10')).toMatchObject({ new: false });
  });

  test('a file that somebody changed is left to them, and named', async () => {
    const shop = await closedMonth();
    expect((await shop.run('lock', '2026-10')).code).toBe(0);
    await appendFile(shop.book(), 'note');
    const refused = await shop.run('close', '2026-10');
    expect([refused.code, refused.stderr]).toEqual([65, expect.stringContaining('E_LOCKED_OUTPUT')]);
  });

  test('a workspace in which somebody changed a locked record is not proof any more', async () => {
    const shop = await closedMonth();
    expect((await shop.run('lock', '2026-10')).code).toBe(0);
    const workspace = workspaceOf(shop);
    const { body } = workspace.prepare('select body from filed_page where page = 1').get() as {
      readonly body: Uint8Array;
    };
    const text = zstdDecompressSync(body).toString();
    const { changes } = workspace
      .prepare('update filed_page set body = ? where page = 1')
      .run(zstdCompressSync(text.replace('amount', 'amounts')));
    workspace.close();
    expect(changes).toBe(1);
    expect(await shop.refused('close', '2026-10')).toBe('E_LOCK_BROKEN');
  });

  test('a correction of a record that is filed nowhere any more is refused, and says what it misses', async () => {
    const shop = await closedMonth();
    await shop.told(0, 'lock', '2026-10');
    await shop.change({ orders: [{ name: '#2', price: '50.00' }] });
    await shop.told(0, 'late', '2026-10', '--carry', '#2');
    const workspace = workspaceOf(shop);
    workspace.exec("delete from filed_sale where key = 'shopify/order/2'");
    workspace.close();
    const { code, stderr } = await shop.run('close', '2026-11');
    expect([code, stderr]).toEqual([
      65,
      expect.stringContaining(
        'E_LOCK_BROKEN: shopify/refund/2-late-1-reversal takes back shopify/order/2, which no lock of this workspace holds',
      ),
    ]);
  });
});
