import { describe, expect, test } from 'vitest';
import { type Month, month } from '../support/month.ts';
import { preparedMonth } from '../support/prepared-month.ts';
import type { Order } from '../support/shop-exports.ts';

/** Orders of July to October, one of August with too much tax; they differ, so that each is asked for. */
const ORDERS: readonly Order[] = [
  { name: '#1', at: '2026-07-10' },
  { name: '#2', at: '2026-08-10', tax: '99.99' },
  { name: '#3', at: '2026-08-11', price: '50.00' },
  { name: '#4', at: '2026-09-10', price: '20.00' },
  { name: '#5', at: '2026-10-10', price: '10.00' },
];

const withBackfill = (shop: Month) => ({
  ...shop,
  backfill: (...args: readonly string[]) => shop.run('backfill', '2026-07..2026-10', ...args),
});
const fourMonths = async () => withBackfill(await month({ orders: ORDERS }));
const backfilled = preparedMonth({ orders: ORDERS }, (shop) => withBackfill(shop).backfill());

const resultsOf = (stdout: string) =>
  (JSON.parse(stdout) as { months: { period: string; result: string; exit_code: number }[] }).months.map(
    ({ period, result, exit_code }) => `${period} ${result} ${exit_code}`,
  );

describe('a backfill', () => {
  test('closes the months in order, and gives each the files that a close of it alone would', async () => {
    const shop = await fourMonths();
    const ran = await shop.backfill();
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 1, stderr: '' });
    expect(ran.stdout.replaceAll(shop.folder, '')).toBe(
      [
        'extract: 5 rows: 5 used, 0 ignored, 0 rejected',
        'months: 3 closed, 1 closed with something open',
        '!! 2026-08: NOT READY: 1 reason, effect on tax +89.24',
        '2026-07..2026-10: NOT READY, exit code 1, 4 months',
        '',
      ].join('\n'),
    );

    const single = await fourMonths();
    for (const month of ['2026-07', '2026-08', '2026-09', '2026-10']) await single.run('close', month);
    expect(await shop.published()).toEqual(await single.published());
  });

  test('run again closes nothing again; where an export has changed, every month is closed again', async () => {
    const shop = withBackfill(await backfilled());
    const files = await shop.published();
    const again = await shop.backfill('--json');
    expect([again.code, resultsOf(again.stdout)]).toEqual([
      1,
      [
        '2026-07 closed before 0',
        '2026-08 closed before 1',
        '2026-09 closed before 0',
        '2026-10 closed before 0',
      ],
    ]);
    expect(await shop.published()).toEqual(files);

    await shop.change({
      orders: ORDERS.map((order) => (order.name === '#4' ? { ...order, tax: '2.16' } : order)),
    });
    const changed = await shop.backfill('--json');
    expect(resultsOf(changed.stdout).map((line) => line.slice(8))).toEqual([
      'closed 0',
      'closed 1',
      'closed 1',
      'closed 0',
    ]);
  });

  test('shares its budget: a month for which too little is left stops, and the others do not', async () => {
    const shop = await fourMonths();
    const ran = await shop.backfill('--max-calculations', '4', '--json');
    expect([ran.code, resultsOf(ran.stdout)]).toEqual([
      78,
      ['2026-07 closed 0', '2026-08 closed 1', '2026-09 stopped 78', '2026-10 stopped 78'],
    ]);
    expect(ran.stdout).toContain('E_CALL_BUDGET');
  });

  test('skips a locked month and says so', async () => {
    const shop = await fourMonths();
    await shop.run('close', '2026-07');
    expect((await shop.run('lock', '2026-07')).code).toBe(0);
    const ran = await shop.backfill();
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('   2026-07: skipped, 2026-07 is locked\n');
  });

  test('a month that fails is named with its reason, and the others are closed', async () => {
    const shop = await fourMonths();
    await shop.run('close', '2026-07');
    await shop.write('out/shop/2026-09', 'a file where the folder should be');
    const ran = await shop.backfill();
    expect(ran.code).toBe(78);
    expect(ran.stderr).toMatch(/^shop 2026-09: E_OUTPUT_UNWRITABLE: /);
    expect(ran.stdout).toContain('!! 2026-09: stopped with 78, E_OUTPUT_UNWRITABLE\n');
  });

  test('of one month is refused before anything is done, and a period closed as a whole keeps its folder', async () => {
    const shop = await fourMonths();
    const one = await shop.run('backfill', '2026-10');
    expect([one.code, one.stderr]).toEqual([
      2,
      `E_BACKFILL_RANGE: 2026-10 is one month.\nUse \`tieout close 2026-10 --config ${shop.config}\`.\n`,
    ]);
    await shop.run('close', '2026-Q3');
    const closed = await shop.published();
    expect((await shop.run('backfill', '2026-Q3')).stderr).toBe('');
    expect(Object.fromEntries(await shop.published())).toMatchObject(Object.fromEntries(closed));
  });
});
