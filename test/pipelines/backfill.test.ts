import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tableRows } from '../support/sheets.ts';
import { type ShopOrder, writeOrders, writeShop } from '../support/shop.ts';
import { filesOf, type RunOptions, temporaryFolder, tieout } from '../support/tieout.ts';

const at = (day: string) => `${day} 12:00:00 -0700`;

/** Orders of July to October, one of August with too much tax; they differ, so that each is asked for. */
const ORDERS: readonly ShopOrder[] = [
  { name: '#1', at: at('2026-07-10') },
  { name: '#2', at: at('2026-08-10'), tax: '99.99' },
  { name: '#3', at: at('2026-08-11'), price: '50.00', tax: '5.38' },
  { name: '#4', at: at('2026-09-10'), price: '20.00', tax: '2.15' },
  { name: '#5', at: at('2026-10-10'), price: '10.00', tax: '1.08' },
];

const shopOf = async (orders: readonly ShopOrder[] = ORDERS) => {
  const folder = await temporaryFolder();
  await writeOrders(folder, 'orders.csv', orders);
  await writeShop(folder, ['orders.csv']);
  const run = (command: string, ...args: readonly string[]) => tieout([command, ...args], { cwd: folder });
  return {
    folder,
    run,
    backfill: (args: readonly string[] = [], options: RunOptions = {}) =>
      tieout(['backfill', '2026-07..2026-10', ...args], { cwd: folder, ...options }),
    files: () => filesOf(join(folder, 'output')),
  };
};

const resultsOf = (stdout: string) =>
  (JSON.parse(stdout) as { months: { period: string; result: string; exit_code: number }[] }).months.map(
    ({ period, result, exit_code }) => `${period} ${result} ${exit_code}`,
  );

describe('a backfill', () => {
  test('closes the months in order, and gives each the files that a close of it alone would', async () => {
    const shop = await shopOf();
    const ran = await shop.backfill();
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 1, stderr: '' });
    expect(ran.stdout.replaceAll(shop.folder, '')).toBe(
      [
        'extract: 5 rows: 5 used, 0 ignored, 0 rejected',
        'plan: 4 to close with 5 calculations or more, 0 closed before, 0 locked',
        'months: 3 closed, 1 closed with something open',
        'report: backfill.xlsx written',
        '!! 2026-08: NOT READY: 1 cause of open exceptions (89.24)',
        '2026-07..2026-10: collected 119.35, expected 30.11, variance 89.24',
        '/output/shop/backfill-2026-07..2026-10/backfill.xlsx',
        '',
      ].join('\n'),
    );

    const single = await shopOf();
    for (const month of ['2026-07', '2026-08', '2026-09', '2026-10']) await single.run('close', month);
    const files = new Map(await shop.files());
    expect(files.delete(join('shop', 'backfill-2026-07..2026-10', 'backfill.xlsx'))).toBe(true);
    expect(files).toEqual(await single.files());
  });

  test('gives the same bytes however many months are at work at once', async () => {
    const [one, many] = [await shopOf(), await shopOf()];
    expect((await one.backfill()).code).toBe(1);
    expect((await many.backfill(['--parallel', '4'])).code).toBe(1);
    expect(await many.files()).toEqual(await one.files());
  });

  test('run again closes nothing again; a changed month and those after it are closed anew', async () => {
    const shop = await shopOf();
    await shop.backfill();
    const files = await shop.files();
    const again = await shop.backfill(['--json']);
    expect([again.code, resultsOf(again.stdout)]).toEqual([
      1,
      [
        '2026-07 closed before 0',
        '2026-08 closed before 1',
        '2026-09 closed before 0',
        '2026-10 closed before 0',
      ],
    ]);
    expect(await shop.files()).toEqual(files);

    await writeOrders(
      shop.folder,
      'orders.csv',
      ORDERS.map((order) => (order.name === '#4' ? { ...order, tax: '2.16' } : order)),
    );
    const changed = await shop.backfill(['--json']);
    expect(resultsOf(changed.stdout).map((line) => line.slice(8))).toEqual([
      'closed before 0',
      'closed before 1',
      'closed 1',
      'closed 0',
    ]);
  });

  test('that was killed goes on, and ends as if nothing had happened', async () => {
    const [whole, cut] = [await shopOf(), await shopOf()];
    await whole.backfill();
    const killed = await cut.backfill([], {
      killWhen: (printed) => printed.includes('plan:'),
      killAfterMs: 150,
    });
    expect(killed.signal).toBe('SIGKILL');
    expect((await cut.backfill()).code).toBe(1);
    expect(await cut.files()).toEqual(await whole.files());
  });

  test('checks the budget over all months before the first call', async () => {
    const shop = await shopOf();
    const ran = await shop.backfill(['--max-calculations', '4']);
    expect([ran.code, ran.stderr.split('\n')[0]]).toEqual([
      78,
      'E_CALL_BUDGET: the 4 months need 5 calculations, and 4 are allowed.',
    ]);
    expect((await shop.files()).size).toBe(0);
    const enough = await shop.backfill(['--max-calculations', '5', '--json']);
    // Nothing is left over to explain the variance of August: it stays unexplained, and no other month goes short.
    expect([enough.code, resultsOf(enough.stdout)]).toEqual([
      1,
      ['2026-07 closed 0', '2026-08 closed 1', '2026-09 closed 0', '2026-10 closed 0'],
    ]);
  });

  test('skips a locked month and says so', async () => {
    const shop = await shopOf();
    await shop.run('close', '2026-07');
    expect((await shop.run('lock', '2026-07')).code).toBe(0);
    const ran = await shop.backfill();
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('   2026-07: skipped, 2026-07 is locked\n');
  });

  test('a month that fails is named with its reason, and the others are closed', async () => {
    const shop = await shopOf();
    await shop.run('close', '2026-07');
    await writeFile(join(shop.folder, 'output', 'shop', '2026-09'), 'a file where the folder should be');
    const ran = await shop.backfill(['--parallel', '3']);
    expect(ran.code).toBe(78);
    expect(ran.stderr).toMatch(/^shop 2026-09: E_OUTPUT_UNWRITABLE: /);
    expect(ran.stdout).toContain('!! 2026-09: stopped with 78, E_OUTPUT_UNWRITABLE\n');
    const book = join(shop.folder, 'output', 'shop', 'backfill-2026-07..2026-10', 'backfill.xlsx');
    const rows = await tableRows(book, 'Months');
    expect(rows.map((row) => Object.values(row).slice(0, 4))).toMatchObject([
      ['2026-07', 'closed', 'READY', 0],
      ['2026-08', 'something open', 'NOT READY', 1],
      ['2026-09', 'not complete', null, 0],
      ['2026-10', 'closed', 'READY', 0],
    ]);
  });

  test('of one month is refused before anything is done, and a period closed as a whole keeps its folder', async () => {
    const shop = await shopOf();
    const one = await shop.run('backfill', '2026-10');
    expect([one.code, one.stderr]).toEqual([
      2,
      'E_BACKFILL_RANGE: 2026-10 is one month.\nUse `tieout close 2026-10`.\n',
    ]);
    await shop.run('close', '2026-Q3');
    const closed = await shop.files();
    expect((await shop.run('backfill', '2026-Q3')).stderr).toBe('');
    expect(Object.fromEntries(await shop.files())).toMatchObject(Object.fromEntries(closed));
  });
});
