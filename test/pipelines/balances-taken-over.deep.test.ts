import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Figures } from '../support/figures.ts';
import { type Month, type MonthData, month } from '../support/month.ts';
import { rowsOf } from '../support/rows.ts';
import { SEATTLE } from '../support/shop-exports.ts';

const MONTHS = ['2026-07', '2026-08', '2026-09', '2026-10'] as const;

/** A sale of 100.00 with 10.55 of tax in each of these months, and other prices where they are named. */
const sales = (prices: Readonly<Record<string, readonly [price: string, tax: string]>> = {}): MonthData => ({
  orders: MONTHS.map((label, index) => {
    const [price, tax] = prices[label] ?? ['100.00', '10.55'];
    return { name: `#${index + 1}`, at: `${label}-14`, price, tax, to: SEATTLE };
  }),
});

const HALF = { '2026-07': ['50.00', '5.28'] } as const;

const registered = (more: object): MonthData => ({
  settings: { registrations: [{ state: 'WA', since: '2019-01-01', ...more }] },
});

/** The closed periods that a close finds out of date, whether or not it is clean itself. */
const outdatedAfter = async (shop: Month, period: string): Promise<readonly string[]> => {
  const { stdout } = await shop.run('close', period, '--json');
  return (JSON.parse(stdout) as Figures).outdated;
};

const openingOf = async (shop: Month, period: string): Promise<unknown> => {
  const rows = await shop.rows('Prepayments', period, 'filing-summary');
  return rows.find((row) => row['Kind'] === 'credits')?.['Opening'];
};

test('a credit that lasts for months makes each later month out of date, one after the other, when the first is closed again with another sale', async () => {
  const credits = [{ period: '2026-07', opening: '40.00' }];
  const shop = await month({ ...sales(), ...registered({ credits }) });
  for (const period of MONTHS) expect(await outdatedAfter(shop, period)).toEqual([]);
  await shop.change(sales(HALF));
  for (const [index, period] of MONTHS.entries())
    expect(await outdatedAfter(shop, period)).toEqual(MONTHS.slice(index + 1, index + 2));
  expect(await openingOf(shop, '2026-10')).toBe(13.62);
  for (const period of MONTHS) await shop.told(0, 'lock', period, '--as', 'Dana Reyes');
});

describe('a month that is closed before the month before it', () => {
  const credits = [{ period: '2026-07', opening: '50.00' }];
  const reasonsOf = async (shop: Month, period: string): Promise<readonly unknown[]> => {
    const { stdout } = await shop.run('close', period, '--json');
    const { readiness, outdated } = JSON.parse(stdout) as Figures & { readiness: { reasons: unknown[] } };
    return [...readiness.reasons, ...outdated];
  };
  const unknown = expect.objectContaining({ code: 'balance-unknown', state: 'WA' });

  test('is not ready where an earlier one left a credit, until both are closed in order', async () => {
    const shop = await month({ ...sales(), ...registered({ credits }) });
    expect(await reasonsOf(shop, '2026-07')).toEqual([]);
    expect(await reasonsOf(shop, '2026-09')).toEqual([unknown]);
    expect((await shop.run('status', '2026-09')).stdout).toContain(
      'open balance-unknown US-WA WA: the prepayments and credits of WA open with nothing, because 2026-08 was not closed, and earlier periods have some',
    );
    expect(await shop.verify('2026-09')).toEqual([]);
    expect(await reasonsOf(shop, '2026-08')).toEqual(['2026-09']);
    expect(await reasonsOf(shop, '2026-09')).toEqual([]);
    expect(await openingOf(shop, '2026-09')).toBe(28.9);
  });

  test('is not ready where the configuration has a credit of an earlier one, unless it states the opening', async () => {
    const shop = await month({ ...sales(), ...registered({ credits }) });
    expect(await reasonsOf(shop, '2026-09')).toEqual([unknown]);
    await shop.change(registered({ credits: [...credits, { period: '2026-08', opening: '0.00' }] }));
    expect(await reasonsOf(shop, '2026-09')).toEqual([]);
    await shop.change(registered({ credits: [...credits, { period: '2026-09', opening: '28.90' }] }));
    expect(await reasonsOf(shop, '2026-09')).toEqual([]);
    expect(await reasonsOf(shop, '2026-10')).toEqual([]);
  });
});

describe('an amount that the registration states for a period', () => {
  const notReady = async (more: object, period: string): Promise<readonly unknown[]> => {
    const shop = await month({ ...sales(), ...registered(more) });
    const { stdout } = await shop.run('close', period, '--json');
    const { exceptions } = JSON.parse(stdout) as Figures & { exceptions: { code: string; record: string }[] };
    return exceptions.filter(({ code }) => code === 'amount-without-return').map(({ record }) => record);
  };

  test.for(
    rowsOf(`
      prepayments: [{ period: 2026-Q4, added: "30.00" }]                                   | 2026-10 | WA prepayments 2026-Q4
      frequency: quarterly, purchases: [{ period: 2026-09..2026-11, amount: "40.00" }]     | 2026-10 | WA purchases 2026-09..2026-11
      frequency: quarterly, credits: [{ period: 2026-11, opening: "30.00" }]               | 2026-Q4 | WA credits 2026-11
      state: NJ, credits: [{ period: 2026-10..2026-11, added: "30.00" }]                   | 2026-10 | NJ credits 2026-10..2026-11
      state: NJ, credits: [{ period: 2026-Q4, added: "30.00" }]                            | 2026-10 |
      frequency: quarterly, credits: [{ period: 2026-10, added: "30.00" }]                 | 2026-10 | WA credits 2026-10
      frequency: quarterly, credits: [{ period: 2026-Q4, added: "30.00" }]                 | 2026-10 |
      frequency: quarterly, purchases: [{ period: 2026-10, amount: "30.00" }]              | 2026-10 |
      frequency: quarterly, purchases: [{ period: 2026-Q3, amount: "40.00" }]              | 2026-10 |
    `),
  )('%s is in no return of %s: %s', async ([more, period, record]) => {
    expect(await notReady(parse(`{ ${more} }`), period)).toEqual(record === '' ? [] : [record]);
  });
});
