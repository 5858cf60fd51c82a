import { describe, expect, test } from 'vitest';
import type { Figures } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';
import { type Order, SEATTLE } from '../support/shop-exports.ts';

const [OCTOBER, NOVEMBER, DECEMBER, JANUARY] = ['2026-10', '2026-11', '2026-12', '2027-01'] as const;
const AMENDED = `${OCTOBER}-amended-1`;

/** A sale in Washington, with 10.55 % of tax. */
const sale = (name: string, at: string, price: number): Order => ({
  ...{ name, at: `${at}-14`, to: SEATTLE },
  ...{ price: price.toFixed(2), tax: (Math.round(price * 10.55) / 100).toFixed(2) },
});

const lock = (shop: Month, label: string) =>
  shop.run('lock', label, '--as', 'Dana Reyes', '--open-exceptions', 'known');

/** A shop with 100.00 of an account from October on, and these months of it closed and locked. */
const lockedShop = async (
  account: 'credits' | 'prepayments',
  orders: readonly Order[],
  months: readonly string[],
): Promise<Month> => {
  const opening = { [account]: [{ period: OCTOBER, opening: '100.00' }] };
  const settings = { registrations: [{ state: 'WA', since: '2019-01-01', ...opening }] };
  const shop = await month({ orders, settings });
  for (const label of months) {
    await shop.run('close', label);
    await lock(shop, label);
  }
  return shop;
};

const amend = async (shop: Month, label: string, orders: readonly Order[]) => {
  await shop.change({ orders });
  await shop.told(0, 'late', label, '--amend', '--open-exceptions', 'known');
};

const accountOf = async (shop: Month, label: string, kind = 'credits') => {
  const rows = await shop.rows('Prepayments', label, 'filing-summary');
  const { Opening, Used, Closing, 'Used later': later } = rows.find((row) => row['Kind'] === kind) ?? {};
  return [Opening, later, Used, Closing];
};

const toPay = async (shop: Month, label: string): Promise<unknown> =>
  (await shop.rows('Pay', label, 'filing-summary')).find(({ State }) => State === 'WA')?.['To pay'];

const outdatedAfter = async (shop: Month, label: string): Promise<readonly string[]> => {
  const { stdout } = await shop.run('close', label, '--json');
  return (JSON.parse(stdout) as Figures).outdated;
};

describe.each(['credits', 'prepayments'] as const)(
  '%s of a month that is amended behind a locked one',
  (kind) => {
    const months = [sale('#1', OCTOBER, 600), sale('#2', NOVEMBER, 5000)];

    test('are not used again where the locked month has used them', async () => {
      const shop = await lockedShop(kind, months, [OCTOBER, NOVEMBER]);
      expect(await accountOf(shop, OCTOBER, kind)).toEqual([100, undefined, 63.3, 36.7]);
      expect(await accountOf(shop, NOVEMBER, kind)).toEqual([36.7, undefined, 36.7, 0]);
      await amend(shop, OCTOBER, [...months, sale('#3', OCTOBER, 300)]);
      expect(await accountOf(shop, AMENDED, kind)).toEqual([100, 36.7, 63.3, 36.7]);
      expect(await toPay(shop, AMENDED)).toBe(31.65);
      expect(await outdatedAfter(shop, DECEMBER)).toEqual([]);
      expect(await accountOf(shop, DECEMBER, kind)).toEqual([0, undefined, 0, 0]);
      for (const label of [AMENDED, NOVEMBER, DECEMBER]) expect(await shop.verify(label)).toEqual([]);
    });

    test('open the first month that is not locked with what is not used any more', async () => {
      const shop = await lockedShop(kind, months, [OCTOBER, NOVEMBER]);
      await shop.run('close', DECEMBER);
      await amend(shop, OCTOBER, [sale('#1', OCTOBER, 300), sale('#2', NOVEMBER, 5000)]);
      expect(await accountOf(shop, AMENDED, kind)).toEqual([100, 36.7, 31.65, 68.35]);
      expect(await lock(shop, DECEMBER)).toMatchObject({ stderr: expect.stringContaining('E_PERIOD_STALE') });
      await shop.run('close', DECEMBER);
      expect(await accountOf(shop, DECEMBER, kind)).toEqual([31.65, undefined, 0, 31.65]);
      expect(await shop.verify(DECEMBER)).toEqual([]);
    });
  },
);

test('an amended month can use what several locked months behind it left, and what later ones open with follows', async () => {
  const later = [sale('#2', NOVEMBER, 100), sale('#3', DECEMBER, 200)];
  const shop = await lockedShop(
    'credits',
    [sale('#1', OCTOBER, 200), ...later],
    [OCTOBER, NOVEMBER, DECEMBER],
  );
  expect(await outdatedAfter(shop, JANUARY)).toEqual([]);
  expect(await accountOf(shop, JANUARY)).toEqual([47.25, undefined, 0, 47.25]);

  // November and December used 10.55 and 21.10: October can use the other 68.35.
  await amend(shop, OCTOBER, [sale('#1', OCTOBER, 400), ...later]);
  expect(await accountOf(shop, AMENDED)).toEqual([100, 31.65, 42.2, 57.8]);
  expect(await outdatedAfter(shop, DECEMBER)).toEqual([JANUARY]);
  await amend(shop, OCTOBER, [sale('#1', OCTOBER, 900), ...later]);
  expect(await accountOf(shop, `${OCTOBER}-amended-2`)).toEqual([100, 31.65, 68.35, 31.65]);
  expect(await toPay(shop, `${OCTOBER}-amended-2`)).toBe(26.6);
  await shop.run('close', JANUARY);
  expect(await accountOf(shop, JANUARY)).toEqual([0, undefined, 0, 0]);

  // What October gives back is there for November, and what that one leaves of it for January.
  await amend(shop, OCTOBER, [sale('#1', OCTOBER, 100), ...later]);
  await amend(shop, NOVEMBER, [
    sale('#1', OCTOBER, 100),
    sale('#2', NOVEMBER, 600),
    sale('#3', DECEMBER, 200),
  ]);
  expect(await accountOf(shop, `${NOVEMBER}-amended-1`)).toEqual([89.45, 21.1, 63.3, 26.15]);
  expect(await toPay(shop, `${NOVEMBER}-amended-1`)).toBe(0);
  await shop.run('close', JANUARY);
  expect(await accountOf(shop, JANUARY)).toEqual([5.05, undefined, 0, 5.05]);
  for (const label of [`${NOVEMBER}-amended-1`, JANUARY]) expect(await shop.verify(label)).toEqual([]);
});

test('the books of a month stay as they are where a later one that is locked has used what it left', async () => {
  const shop = await lockedShop('credits', [sale('#1', OCTOBER, 600), sale('#2', NOVEMBER, 5000)], [OCTOBER]);
  await shop.told(0, 'unlock', OCTOBER, '--reason', 'not filed');
  await shop.run('close', NOVEMBER);
  const before = await shop.manifest(OCTOBER);
  await lock(shop, NOVEMBER);
  expect(await outdatedAfter(shop, OCTOBER)).toEqual([]);
  expect(await shop.manifest(OCTOBER)).toEqual(before);
  expect(await accountOf(shop, OCTOBER)).toEqual([100, undefined, 63.3, 36.7]);
});

test('a month that is unlocked and closed again leaves to a locked one what that has used', async () => {
  const months = [sale('#1', OCTOBER, 600), sale('#2', NOVEMBER, 5000)];
  const shop = await lockedShop('credits', months, [OCTOBER, NOVEMBER]);
  await shop.told(0, 'unlock', OCTOBER, '--reason', 'not filed');
  await shop.change({ orders: [...months, sale('#3', OCTOBER, 300)] });
  await shop.run('close', OCTOBER);
  expect(await accountOf(shop, OCTOBER)).toEqual([100, 36.7, 63.3, 36.7]);
  expect(await toPay(shop, OCTOBER)).toBe(31.65);
  expect(await shop.verify(OCTOBER)).toEqual([]);
  await shop.told(0, 'unlock', NOVEMBER, '--reason', 'not filed');
  expect(await outdatedAfter(shop, DECEMBER)).toEqual([OCTOBER, NOVEMBER]);
  await shop.run('close', OCTOBER);
  expect(await accountOf(shop, OCTOBER)).toEqual([100, undefined, 94.95, 5.05]);
  expect(await outdatedAfter(shop, NOVEMBER)).toEqual([]);
  expect(await accountOf(shop, NOVEMBER)).toEqual([5.05, undefined, 5.05, 0]);
});
