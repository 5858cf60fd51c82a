import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ShopOrder, type ShopRefund, writeOrders, writeRefunds, writeShop } from '../support/shop.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

type Load = {
  readonly orders: Readonly<Record<string, readonly ShopOrder[]>>;
  readonly refunds?: Readonly<Record<string, readonly ShopRefund[]>>;
};
type Figures = {
  readonly exit_code: number;
  readonly readiness: { readonly ready: boolean };
  readonly submissions: Readonly<Record<string, number>>;
  readonly states: readonly {
    readonly orders: number;
    readonly refunds: number;
    readonly collected: string;
  }[];
  readonly exceptions: readonly {
    readonly code: string;
    readonly record: string;
    readonly severity: string;
  }[];
  readonly inputs: readonly {
    readonly path: string;
    readonly rows: number;
    readonly used: number;
    readonly ignored: number;
    readonly rejected: number;
  }[];
};

/** Put these files into the shop in place of what was there, and close a month. */
const close = async (folder: string, load: Load, period: string): Promise<Figures> => {
  for (const [file, orders] of Object.entries(load.orders)) await writeOrders(folder, file, orders);
  for (const [file, refunds] of Object.entries(load.refunds ?? {})) await writeRefunds(folder, file, refunds);
  await writeShop(folder, Object.keys(load.orders), Object.keys(load.refunds ?? {}));
  const ran = await tieout([
    'close',
    period,
    '--config',
    join(folder, 'tieout.yaml'),
    '--output',
    join(folder, 'out'),
    '--json',
  ]);
  expect(ran.stderr).toBe('');
  return JSON.parse(ran.stdout) as Figures;
};

const ONE: ShopOrder = { name: '#1' };
const TWO: ShopOrder = { name: '#2' };
const FULL: ShopRefund = { order: '#1', at: '2026-11-05 09:00:00 -0700', amount: '110.75' };
const errors = ({ exceptions }: Figures) =>
  exceptions.filter(({ severity }) => severity === 'error').map(({ code, record }) => `${code} ${record}`);

describe('what the exports say over time', () => {
  test('a refund whose order came with an earlier month’s export is the mirror of that order', async () => {
    const folder = await temporaryFolder();
    await close(folder, { orders: { 'oct.csv': [ONE] } }, '2026-10');
    const november = await close(
      folder,
      {
        orders: { 'nov.csv': [{ ...TWO, at: '2026-11-03 10:00:00 -0700' }] },
        refunds: { 'novp.csv': [FULL] },
      },
      '2026-11',
    );
    expect([november.states[0]?.orders, november.states[0]?.refunds, november.states[0]?.collected]).toEqual([
      1,
      1,
      '0.00',
    ]);
    expect([november.exit_code, errors(november)]).toEqual([0, []]);
  });

  test('an order that is voided later is no sale any more, and its record in the service is an exception', async () => {
    const folder = await temporaryFolder();
    await close(folder, { orders: { 'oct.csv': [ONE, TWO] } }, '2026-10');
    const again = await close(
      folder,
      { orders: { 'oct.csv': [{ ...ONE, status: 'voided' }, TWO] } },
      '2026-10',
    );
    expect([again.exit_code, again.states[0]?.orders, errors(again)]).toEqual([1, 1, ['R20 1']]);
  });

  test('an order whose cells are damaged later is no sale until it is repaired', async () => {
    const folder = await temporaryFolder();
    await close(folder, { orders: { 'oct.csv': [ONE, TWO] } }, '2026-10');
    const damaged = await close(
      folder,
      { orders: { 'oct.csv': [{ ...ONE, total: '#REF!' }, TWO] } },
      '2026-10',
    );
    expect([damaged.exit_code, damaged.states[0]?.orders, errors(damaged)]).toEqual([
      1,
      1,
      ['R20 1', 'bad-cell #1'],
    ]);
    const repaired = await close(folder, { orders: { 'oct.csv': [ONE, TWO] } }, '2026-10');
    expect([repaired.exit_code, repaired.states[0]?.orders]).toEqual([0, 2]);
  });

  test('of two files that overlap the newer one holds, and the older rows are counted as ignored', async () => {
    const folder = await temporaryFolder();
    const load: Load = {
      orders: { 'oct.csv': [ONE, TWO], 'nov.csv': [{ ...ONE, status: 'refunded', refunded: '110.75' }] },
      refunds: { 'p.csv': [FULL] },
    };
    const october = await close(folder, load, '2026-10');
    expect([october.exit_code, october.states[0]?.orders]).toEqual([0, 2]);
    expect(october.inputs.map(({ path, used, ignored }) => [path, used, ignored])).toEqual([
      ['nov.csv', 1, 0],
      ['oct.csv', 1, 1],
      ['p.csv', 1, 0],
    ]);
    expect(october.exceptions).toContainEqual(expect.objectContaining({ code: 'superseded', record: '#1' }));
    const november = await close(folder, load, '2026-11');
    expect([november.states[0]?.refunds, november.states[0]?.collected]).toEqual([1, '-10.75']);
  });

  test('an order that the newer of two files voids is no sale, and every row is counted once', async () => {
    const load: Load = { orders: { 'oct.csv': [ONE, TWO], 'nov.csv': [{ ...ONE, status: 'voided' }] } };
    const october = await close(await temporaryFolder(), load, '2026-10');
    expect([october.exit_code, october.states[0]?.orders]).toEqual([0, 1]);
    expect(october.inputs.map(({ path, rows, used, ignored }) => [path, rows, used, ignored])).toEqual([
      ['nov.csv', 1, 0, 1],
      ['oct.csv', 2, 1, 1],
    ]);
  });

  test('a posted refund stays dated when its payments file is replaced', async () => {
    const folder = await temporaryFolder();
    const refunded: ShopOrder = { ...ONE, status: 'refunded', refunded: '110.75' };
    const dated: ShopRefund = { ...FULL, at: '2026-10-20 09:00:00 -0700' };
    const october = await close(
      folder,
      { orders: { 'oct.csv': [refunded] }, refunds: { 'p.csv': [dated] } },
      '2026-10',
    );
    expect([october.exit_code, october.states[0]?.refunds]).toEqual([0, 1]);
    await close(
      folder,
      { orders: { 'oct.csv': [refunded] }, refunds: { 'p.csv': [{ ...FULL, order: '#2' }] } },
      '2026-11',
    );
    const again = await close(
      folder,
      { orders: { 'oct.csv': [refunded] }, refunds: { 'p.csv': [{ ...FULL, order: '#2' }] } },
      '2026-10',
    );
    expect([again.exit_code, again.states[0]?.refunds, errors(again)]).toEqual([0, 1, []]);
  });

  test('a refund without its order becomes the mirror when the order arrives', async () => {
    const folder = await temporaryFolder();
    const stray = await close(
      folder,
      { orders: { 'nov.csv': [TWO] }, refunds: { 'p.csv': [FULL] } },
      '2026-11',
    );
    expect(errors(stray)).toEqual(['R14 1']);
    const joined = await close(
      folder,
      {
        orders: { 'nov.csv': [TWO], 'oct.csv': [{ ...ONE, status: 'refunded', refunded: '110.75' }] },
        refunds: { 'p.csv': [FULL] },
      },
      '2026-11',
    );
    expect([joined.exit_code, errors(joined), joined.states[0]?.refunds]).toEqual([0, [], 1]);
  });

  test('whatever the order of the loads, the same history ends in the same figures', async () => {
    const history: Load = {
      orders: { 'oct.csv': [ONE, TWO], 'nov.csv': [{ ...ONE, status: 'refunded', refunded: '110.75' }] },
      refunds: { 'p.csv': [FULL] },
    };
    const atOnce = await close(await temporaryFolder(), history, '2026-11');
    const piecemeal = await temporaryFolder();
    await close(piecemeal, { orders: { 'oct.csv': [ONE, TWO] } }, '2026-10');
    await close(
      piecemeal,
      { orders: { 'nov.csv': [{ ...ONE, status: 'refunded', refunded: '110.75' }] } },
      '2026-11',
    );
    const last = await close(
      piecemeal,
      {
        orders: { 'nov.csv': [{ ...ONE, status: 'refunded', refunded: '110.75' }] },
        refunds: { 'p.csv': [FULL] },
      },
      '2026-11',
    );
    expect(last.states).toEqual(atOnce.states);
    expect(errors(last)).toEqual(errors(atOnce));
  });
});
