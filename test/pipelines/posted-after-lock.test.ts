import { describe, expect, test } from 'vitest';
import { amendLate, carryLate } from '../support/decisions.ts';
import { errorsOf } from '../support/figures.ts';
import { type Month, month, type Settings } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';

const HELD: Order = { name: '#2', total: '111.75' };
const DECIDED: Settings = { decisions: ['decided.csv'] };
const QUARTERLY: Settings = {
  registrations: [{ state: 'CA', since: '2019-01-01', frequency: 'quarterly' }],
};

const decide = (shop: Month, ...lines: readonly string[]) =>
  shop.write('decided.csv', ['key,records,decision,why', ...lines, ''].join('\n'));

const postOf = (period: string) => `${period} total-differs of 2,#2,Post,a tip of 1.00`;

const detailOf = async (shop: Month, label: string) =>
  (await shop.detail(label)).map((row) => `${row['Transaction']} ${row['Gross']}`);

/** October, locked with one order held; then the decisions are there to be written. */
const heldShop = async () => {
  const shop = await month({ orders: [{ name: '#1' }, HELD], settings: DECIDED });
  await decide(shop);
  await shop.told(1, 'close', '2026-10');
  await shop.told(0, 'lock', '2026-10', '--open-exceptions', 'asked the shop');
  return shop;
};

/** July, locked with order 2 held; then its date is another one. A quarter that files once has all of it. */
const movedShop = async (moved: Order) => {
  const ordersWith = (two: Order): readonly Order[] => [
    { name: '#1', at: '2026-07-10' },
    two,
    { name: '#3', at: '2026-08-10' },
    { name: '#4', at: '2026-09-10' },
  ];
  const orders = ordersWith({ ...HELD, at: '2026-07-10' });
  const shop = await month({ settings: QUARTERLY, orders });
  const lock = async (period: string) => {
    await shop.close(period);
    await shop.told(0, 'lock', period, '--open-exceptions', 'asked the shop');
  };
  const quarter = async () => {
    const figures = await shop.close('2026-Q3');
    return [errorsOf(figures), figures.totals['gross'], (await detailOf(shop, '2026-Q3')).length];
  };
  await lock('2026-07');
  const moveTo = (two: Order) => shop.change({ orders: ordersWith(two) });
  await moveTo(moved);
  return { ...shop, lock, moveTo, quarter };
};

describe('a record that was held when its month was locked, and is posted later', () => {
  test('is in the amended version once, as it is posted', async () => {
    const shop = await heldShop();
    await decide(shop, postOf('2026-10'));
    await amendLate(shop, '2026-10', '2026-11');
    const label = '2026-10-amended-1';
    expect((await detailOf(shop, label)).sort()).toEqual(['1 100', '2 100']);
    expect((await shop.manifest(label)).content).toMatchObject({ readiness: { ready: true } });
    expect(await shop.verify(label)).toEqual([]);
  });

  test.each(['--carry', '--amend'])('is once in a quarter of locked months: %s', async (choice) => {
    const shop = await month({
      settings: { ...DECIDED, ...QUARTERLY },
      orders: [
        { name: '#1', at: '2026-07-10' },
        { ...HELD, at: '2026-07-10' },
        { name: '#3', at: '2026-08-10' },
        { name: '#4', at: '2026-09-10' },
      ],
    });
    await decide(shop);
    await shop.told(1, 'close', '2026-07');
    await shop.told(0, 'lock', '2026-07', '--open-exceptions', 'asked the shop');
    await decide(shop, postOf('2026-07'));
    await shop.told(0, 'late', '2026-07', choice);
    const quarter = async () => {
      const figures = await shop.close('2026-Q3');
      return [errorsOf(figures), figures.totals['gross'], (await detailOf(shop, '2026-Q3')).sort()];
    };
    const once = [[], '400.00', ['1 100', '2 100', '3 100', '4 100']];
    expect(await quarter()).toEqual(once);
    for (const each of ['2026-08', '2026-09']) {
      await shop.told(0, 'close', each);
      await shop.told(0, 'lock', each);
    }
    expect(await quarter()).toEqual(once);
    expect(await shop.verify('2026-Q3')).toEqual([]);
  });

  test('stays held in a quarter of locked months until the amended version that has it is locked', async () => {
    const shop = await month({
      settings: { ...DECIDED, ...QUARTERLY },
      orders: [
        { name: '#1', at: '2026-07-10' },
        { ...HELD, at: '2026-07-10' },
        { ...HELD, name: '#5', at: '2026-07-10' },
        { name: '#3', at: '2026-08-10' },
        { name: '#4', at: '2026-09-10' },
      ],
    });
    await decide(shop);
    for (const each of ['2026-07', '2026-08', '2026-09']) {
      await shop.close(each);
      await shop.told(0, 'lock', each, '--open-exceptions', 'asked the shop');
    }
    const held = async () =>
      errorsOf(await shop.close('2026-Q3'))
        .filter((text) => text.startsWith('total-differs'))
        .sort();
    await decide(shop, postOf('2026-07'));
    expect(await shop.refused('late', '2026-07', '--amend')).toBe('E_PERIOD_OPEN');
    expect(await held()).toEqual(['total-differs #2', 'total-differs #5']);
    await amendLate(shop, '2026-07', '2026-08');
    expect(await held()).toEqual(['total-differs #5']);
  });

  test('is in the next amended version once, if it is a correction that was held', async () => {
    const shop = await month({ orders: [{ name: '#1' }, { name: '#2' }], settings: DECIDED });
    await decide(shop);
    await shop.told(0, 'close', '2026-10');
    await shop.told(0, 'lock', '2026-10');
    await shop.change({ orders: [{ name: '#1' }, HELD] });
    await amendLate(shop, '2026-10', '2026-11');
    await decide(shop, postOf('2026-10'));
    await amendLate(shop, '2026-10', '2026-11');
    const rows = (await detailOf(shop, '2026-10-amended-2')).sort();
    expect(rows).toEqual(['1 100', '2 100', '2-late-1-reversal -100', '2-late-2 100']);
    expect(await shop.verify('2026-10-amended-2')).toEqual([]);
  });

  test('is once in a quarter when it is posted with a date in a month that is open', async () => {
    const shop = await movedShop({ name: '#2', at: '2026-08-10' });
    const once = [[], '400.00', 4];
    expect(await shop.quarter()).toEqual(once);
    await shop.lock('2026-08');
    await shop.lock('2026-09');
    expect(await shop.quarter()).toEqual(once);
    expect(await shop.verify('2026-Q3')).toEqual([]);
  });

  test('stays held where it was when its date is one before the first close, which no report has', async () => {
    const shop = await movedShop({ name: '#2', at: '2026-06-30' });
    expect(await shop.quarter()).toEqual([['total-differs #2'], '300.00', 4]);
    expect(await shop.verify('2026-Q3')).toEqual([]);
  });

  test('is left out of an amended version of the month when it was carried out of it', async () => {
    const shop = await heldShop();
    await decide(shop, postOf('2026-10'));
    await carryLate(shop, '2026-11');
    await shop.change({ orders: [{ name: '#1' }, HELD, { name: '#3' }] });
    await amendLate(shop, '2026-10', '2026-11');
    const label = '2026-10-amended-1';
    expect((await detailOf(shop, label)).sort()).toEqual(['1 100', '3 100']);
    expect((await shop.manifest(label)).content).toMatchObject({ readiness: { ready: true } });
    expect(await shop.verify(label)).toEqual([]);
    expect(await shop.close('2026-11')).toMatchObject({ totals: { gross: '100.00' } });
  });

  test('is late again when its decision is taken back before it is filed', async () => {
    const shop = await heldShop();
    await shop.change({ orders: [{ name: '#1' }, HELD, { name: '#3', at: '2026-11-10' }] });
    await decide(shop, postOf('2026-10'));
    await carryLate(shop, '2026-11');
    const november = async () => {
      const figures = await shop.close('2026-11');
      return [errorsOf(figures), figures.totals['gross'], await detailOf(shop, '2026-11')];
    };
    expect(await november()).toEqual([[], '200.00', ['2 100', '3 100']]);
    await decide(shop);
    expect(await november()).toEqual([['R17 #2'], '200.00', ['2 100', '3 100']]);
    await carryLate(shop, '2026-11');
    expect(await november()).toEqual([[], '100.00', ['3 100']]);
  });

  test('is late again, too, when it was filed as posted and was taken back in between', async () => {
    const shop = await heldShop();
    const later = ['2026-11', '2026-12', '2027-01'].map(
      (month, index): Order => ({
        ...{ name: `#${index + 3}`, at: `${month}-10` },
      }),
    );
    await shop.change({ orders: [{ name: '#1' }, HELD, ...later] });
    const carry = async (...lines: readonly string[]) => {
      await decide(shop, ...lines);
      await carryLate(shop, '2026-11');
    };
    const lock = async (period: string) => {
      await shop.run('close', period);
      await shop.told(0, 'lock', period, '--open-exceptions', 'asked the shop');
    };
    await carry(postOf('2026-10'));
    await lock('2026-11');
    await carry();
    await lock('2026-12');
    await carry(postOf('2026-10'));
    expect(errorsOf(await shop.close('2027-01'))).toEqual([]);
    await decide(shop);
    expect(errorsOf(await shop.close('2027-01'))).toEqual(['R17 #2']);
  });
});

describe('a record that is held in two versions', () => {
  test('is asked about once in a quarter, wherever its date moves', async () => {
    const shop = await movedShop({ ...HELD, at: '2026-08-10' });
    const once = [['total-differs #2'], '300.00', 4];
    expect(await shop.quarter()).toEqual(once);
    await shop.lock('2026-08');
    expect(await shop.quarter()).toEqual(once);
    await shop.moveTo({ ...HELD, at: '2026-07-10' });
    expect(await shop.quarter()).toEqual(once);
    expect(await shop.verify('2026-Q3')).toEqual([]);
  });

  test('is asked about once in a quarter when it was moved and is void since', async () => {
    const shop = await movedShop({ ...HELD, at: '2026-08-10' });
    await shop.lock('2026-08');
    await shop.moveTo({ ...HELD, at: '2026-08-10', status: 'voided' });
    expect(await shop.quarter()).toEqual([['total-differs #2'], '300.00', 4]);
    expect(await shop.verify('2026-Q3')).toEqual([]);
  });

  test('is in the next amended version once, if it was new and is in two of them', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    await shop.told(0, 'close', '2026-10');
    await shop.told(0, 'lock', '2026-10');
    const changed: Order = { ...HELD, price: '120.00', total: '134.00' };
    for (const orders of [[HELD], [changed], [changed, { name: '#3' }]]) {
      await shop.change({ orders: [{ name: '#1' }, ...orders] });
      await amendLate(shop, '2026-10', '2026-11');
    }
    const label = '2026-10-amended-3';
    expect((await detailOf(shop, label)).sort()).toEqual(['1 100', '2 null', '3 100']);
    const asked = (await shop.rows('Exceptions', label)).filter(({ Code }) => Code === 'total-differs');
    expect(asked.map(({ What }) => What)).toEqual([expect.stringMatching(/^120\.00 goods/)]);
    expect(await shop.verify(label)).toEqual([]);
  });

  test('is in the next amended version as the lock that was set last has it, of whatever month', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    const november: Order = { name: '#3', at: '2026-11-10' };
    const changeTo = (...orders: readonly Order[]) =>
      shop.change({ orders: [{ name: '#1' }, november, ...orders] });
    await shop.told(0, 'close', '2026-10');
    await shop.told(0, 'lock', '2026-10');
    await changeTo(HELD);
    await carryLate(shop, '2026-11');
    await shop.close('2026-11');
    await shop.told(0, 'lock', '2026-11', '--open-exceptions', 'asked the shop');
    const changed: Order = { ...HELD, price: '120.00', total: '134.00' };
    for (const orders of [[changed], [changed, { name: '#4' }]]) {
      await changeTo(...orders);
      await amendLate(shop, '2026-10', '2026-11');
    }
    const label = '2026-10-amended-2';
    expect((await detailOf(shop, label)).sort()).toEqual(['1 100', '2 null', '4 100']);
    const asked = (await shop.rows('Exceptions', label)).filter(({ Code }) => Code === 'total-differs');
    expect(asked.map(({ What }) => What)).toEqual([expect.stringMatching(/^120\.00 goods/)]);
    expect(await shop.verify(label)).toEqual([]);
  });

  test('is in the next amended version as the later of two corrections has it', async () => {
    const shop = await month({ orders: [{ name: '#1' }, { name: '#2' }] });
    await shop.told(0, 'close', '2026-10');
    await shop.told(0, 'lock', '2026-10');
    for (const two of [HELD, { ...HELD, price: '120.00', total: '134.00' }]) {
      await shop.change({ orders: [{ name: '#1' }, two] });
      await amendLate(shop, '2026-10', '2026-11');
    }
    const rows = await shop.detail('2026-10-amended-2');
    const ids = rows.map((row) => row['Transaction']).sort();
    expect(ids).toEqual(['1', '2', '2-late-1-reversal', '2-late-2']);
    expect(await shop.verify('2026-10-amended-2')).toEqual([]);
  });
});
