import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadContent } from '../../src/service/content/load-content.ts';
import { ownEngine } from '../../src/service/own-engine.ts';
import { pipelines } from '../entry/close.ts';
import { type Month, month, type Settings } from '../support/month.ts';
import { preparedMonth } from '../support/prepared-month.ts';
import type { Order } from '../support/shop-exports.ts';

const ORDERS: readonly Order[] = ['07', '08', '09'].map((at, index) => ({
  name: `#${index + 1}`,
  at: `2026-${at}-10`,
}));
const LATE: Order = { name: '#4', at: '2026-07-20', price: '80.00' };

/** What a backfill of the three months does with each: `2026-08 closed 0`. */
const backfill = async (shop: Pick<Month, 'run'>): Promise<readonly string[]> => {
  const { stdout, stderr } = await shop.run('backfill', '2026-07..2026-09', '--json');
  expect(stderr).toBe('');
  const { months } = JSON.parse(stdout) as {
    months: readonly { period: string; result: string; exit_code: number }[];
  };
  return months.map(({ period, result, exit_code }) => `${period} ${result} ${exit_code}`);
};

const UNCHANGED = ['2026-07 locked 0', '2026-08 closed before 0', '2026-09 closed before 0'];

/** Three closed months, of which the first is locked. */
const lockedJuly = preparedMonth({ orders: ORDERS }, async (shop) => {
  await backfill(shop);
  await shop.told(0, 'lock', '2026-07');
});

describe('a backfill after an order came late for a locked month', () => {
  const lateFor = async (lateItems: string) => {
    const settings: Settings = { policy: { lateItems } };
    const shop = await lockedJuly();
    await shop.change({ settings });
    await backfill(shop);
    expect(await backfill(shop)).toEqual(UNCHANGED);
    await shop.change({ orders: [...ORDERS, LATE] });
    return shop;
  };
  const collected = async (shop: Month) => (await shop.close('2026-08')).totals['collected'];

  test('closes the month again that asks about it, and says that it is NOT READY', async () => {
    const shop = await lateFor('ask');
    expect(await backfill(shop)).toEqual(['2026-07 locked 0', '2026-08 closed 1', '2026-09 closed 0']);
    const asked = ['2026-07 locked 0', '2026-08 closed before 1', '2026-09 closed before 0'];
    expect(await backfill(shop)).toEqual(asked);
    expect(await collected(shop)).toBe('10.75');
  });

  test('carries it into the next open month, where the policy says so', async () => {
    const shop = await lateFor('carry');
    expect(await backfill(shop)).toEqual(['2026-07 locked 0', '2026-08 closed 0', '2026-09 closed 0']);
    expect(await backfill(shop)).toEqual(UNCHANGED);
    expect(await collected(shop)).toBe('19.35');
  });

  test('opens an amended version, where the policy says so', async () => {
    const shop = await lateFor('amend');
    expect(await backfill(shop)).toEqual(['2026-07 locked 0', '2026-08 closed 1', '2026-09 closed 0']);
    expect((await backfill(shop))[1]).toBe('2026-08 closed before 1');
    await shop.told(0, 'close', '2026-07-amended-1');
  });
});

test('a backfill links each month to the books whose figures it has, of an amended month to those of its last version', async () => {
  const shop = await lockedJuly();
  await shop.change({ orders: [...ORDERS, LATE] });
  await shop.told(0, 'late', '2026-07', '--amend');
  await backfill(shop);
  const months = (await shop.tables('backfill-2026-07..2026-09', 'backfill')).get('Months')?.rows ?? [];
  const linkTo = (label: string) => `HYPERLINK("../${label}/variance.xlsx","variance.xlsx")`;
  expect(months.map((row) => [row['Collected']?.value, row['Workbook']])).toEqual([
    [19.35, { value: 'variance.xlsx', formula: linkTo('2026-07-amended-1') }],
    [10.75, { value: 'variance.xlsx', formula: linkTo('2026-08') }],
    [10.75, { value: 'variance.xlsx', formula: linkTo('2026-09') }],
  ]);
});

test('a backfill closes a month again whose ledger has changed', async () => {
  const PAYABLE = 'Sales tax payable';
  const shop = await month({
    orders: ORDERS,
    settings: { books: { files: ['ledger.csv'], accounts: [{ account: PAYABLE, state: 'CA' }] } },
  });
  const ledger = (august: string) => {
    const amounts = ['10.75', august, '10.75'];
    const rows = amounts.map(
      (amount, index) => `2026-0${index + 7}-10,${PAYABLE},${amount},Sales of the day`,
    );
    const opening = `2026-07-01,${PAYABLE},0.00,Opening balance`;
    return shop.write('ledger.csv', `${['Date,Account,Amount,Memo', opening, ...rows].join('\n')}\n`);
  };
  await ledger('10.75');
  await backfill(shop);
  const before = await backfill(shop);
  expect(before.map((line) => line.slice(8, -2))).toEqual(Array(3).fill('closed before'));
  await ledger('12.00');
  const again = await backfill(shop);
  expect(again.map((line) => line.slice(8, -2))).toEqual(['closed before', 'closed', 'closed']);
  const rolled = await shop.rows('Roll-forward', '2026-08', 'filing-summary');
  expect(rolled.find(({ Line }) => Line === 'Collected')).toMatchObject({ Tieout: 10.75, Ledger: 12 });
});

test('a backfill closes the months again when the content of the second opinion has changed', async () => {
  const shop = await month({ orders: ORDERS });
  const kindsWith = (content: string) =>
    shop.ports(async (ports) => {
      const secondOpinion = { ...ownEngine(loadContent(), { nexus: [] }, ports.clock), content };
      const { months } = await pipelines.historicalBackfill.run(
        { ...ports, secondOpinion },
        { period: '2026-Q3' },
      );
      return months.map(({ kind }) => kind);
    });
  const [closed, before] = ['to close', 'closed before'].map((kind) => Array(3).fill(kind));
  expect(await kindsWith('one')).toEqual(closed);
  expect(await kindsWith('one')).toEqual(before);
  expect(await kindsWith('another')).toEqual(closed);
});

test('a backfill that stops before its first month leaves the months out of date, but not a locked one', async () => {
  const shop = await lockedJuly();
  await rename(join(shop.folder, 'orders.csv'), join(shop.folder, 'away.csv'));
  expect((await shop.run('backfill', '2026-07..2026-09')).code).toBe(65);
  const { stdout } = await shop.run('status', '--json');
  const { periods } = JSON.parse(stdout) as { periods: { period: string; filesAreCurrent: boolean }[] };
  expect(periods.map(({ period, filesAreCurrent }) => [period, filesAreCurrent])).toEqual([
    ['2026-07', true],
    ['2026-08', false],
    ['2026-09', false],
  ]);
  expect(await shop.refused('lock', '2026-08')).toBe('E_PERIOD_STALE');
  await rename(join(shop.folder, 'away.csv'), join(shop.folder, 'orders.csv'));
  expect((await backfill(shop)).map((line) => line.slice(8))).toEqual(['locked 0', 'closed 0', 'closed 0']);
  await shop.told(0, 'lock', '2026-08');
});

test('a backfill that stops before its first month leaves no trace of months that were never closed', async () => {
  const shop = await lockedJuly();
  await rename(join(shop.folder, 'orders.csv'), join(shop.folder, 'away.csv'));
  expect((await shop.run('backfill', '2025-01..2026-09')).code).toBe(65);
  const { stdout } = await shop.run('status', '--json');
  const { periods } = JSON.parse(stdout) as { periods: { period: string }[] };
  expect(periods.map(({ period }) => period)).toEqual(['2026-07', '2026-08', '2026-09']);
});

test('a backfill has no figures of months that a longer period filed, and says so beside its total', async () => {
  const registrations = [{ state: 'CA', since: '2019-01-01', frequency: 'quarterly' }];
  const shop = await month({ orders: ORDERS, settings: { registrations } });
  await shop.told(0, 'close', '2026-07');
  const more: Order = { name: '#4', at: '2026-07-20', price: '500.00' };
  await shop.change({ orders: [...ORDERS, more] });
  expect((await shop.run('close', '2026-Q3')).code).toBe(0);
  await shop.told(0, 'lock', '2026-Q3');
  const { code, stdout } = await shop.run('backfill', '2026-07..2026-09');
  expect(code).toBe(0);
  expect(stdout).toContain('\ncollected 0.00, expected 0.00, without 3 months filed with 2026-Q3\n');
  await shop.change({
    orders: [...ORDERS, { name: '#9', at: '2026-10-10' }, more],
    settings: { registrations, name: 'Another Name' },
  });
  expect((await shop.close('2026-10')).outdated).toEqual([]);
  expect((await shop.run('status')).stdout).not.toContain('close it again');
});

test('a backfill closes no month whose folder was replaced by a file, and says which', async () => {
  const shop = await lockedJuly();
  await rm(shop.out('2026-09'), { recursive: true });
  await shop.write('out/shop/2026-09', 'a file where the folder should be');
  const { code, stderr } = await shop.run('backfill', '2026-07..2026-09');
  expect([code, stderr.split(': ', 2)]).toEqual([78, ['shop 2026-09', 'E_OUTPUT_UNWRITABLE']]);
});
