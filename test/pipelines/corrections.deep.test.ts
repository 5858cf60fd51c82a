import { describe, expect, test } from 'vitest';
import { amendLate, carryLate, lockClosed } from '../support/decisions.ts';
import { errorsOf } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';

/** What is said of order 1 and its corrections, beside that they came late, in books that the evidence proves. */
const saidOf = async (shop: Month, version: string): Promise<readonly string[]> => {
  expect(await shop.verify(version)).toEqual([]);
  const checks = await shop.rows('Checks', version);
  expect(checks.filter(({ Result }) => Result !== 'PASS')).toEqual([]);
  return (await shop.rows('Exceptions', version))
    .filter(({ Record, Code }) => /^1(-late-|$)/.test(String(Record)) && Code !== 'late-filed')
    .map((row) => `${row['Severity']} ${row['Code']} ${row['Record']} ${row['Effect on tax']}`)
    .sort();
};

/** The causes of a variance that a period asks about: `(R11) 10.75`. */
const toDecide = async (shop: Month, version: string): Promise<readonly string[]> =>
  (await shop.rows('Decide', version)).flatMap((row) => {
    const [code] = /\(R(?!17)\d\d\)/.exec(String(row['Cause'])) ?? [];
    return code === undefined ? [] : `${code} ${row['Effect on tax']}`;
  });

/** The variance of a period by its reasons, and what of it is reversed: `R11: over 0, under 10.75 (10.75)`. */
const reasonsOf = async (shop: Month, version: string): Promise<readonly string[]> =>
  (await shop.rows('By_reason', version)).map(
    ({ Code, Over, Under, Reversed }) => `${Code}: over ${Over}, under ${Under} (${Reversed})`,
  );

const uncharged: Order = { name: '#1', tax: '0.00' };
const right: Order = { name: '#1' };
const ofNovember: Order = { name: '#2', at: '2026-11-02' };

/** October, locked, with an order that was charged nothing; then the shop states it otherwise. */
const correctedShop = async (choice: 'next' | 'amend', now: Order): Promise<Month> => {
  const shop = await month({ orders: [uncharged] });
  await lockClosed(shop, '2026-10');
  await shop.change({ orders: [now, ofNovember] });
  if (choice === 'next') await carryLate(shop, '2026-11');
  else await amendLate(shop, '2026-10', '2026-11');
  return shop;
};

describe('what a filed order was charged too little', () => {
  test('is taken back by a carried correction, and nothing of it is asked about again', async () => {
    const shop = await correctedShop('next', right);
    const { readiness, exceptions } = await shop.told(0, 'close', '2026-11');
    expect(readiness.ready).toBe(true);
    expect(exceptions.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(await saidOf(shop, '2026-11')).toEqual(['warning R11 1-late-1-reversal 10.75']);
    expect(await toDecide(shop, '2026-11')).toEqual([]);
    expect(await reasonsOf(shop, '2026-11')).toEqual(['R11: over 0, under 10.75 (10.75)']);
    const marked = (await shop.detail('2026-11')).filter(({ Reversal }) => Reversal === 'Yes');
    expect(marked.map(({ Transaction }) => Transaction)).toEqual(['1-late-1-reversal']);
  });

  test('is taken back in an amended version, where it was found', async () => {
    const shop = await correctedShop('amend', right);
    expect(await saidOf(shop, '2026-10-amended-1')).toEqual([
      'warning R11 1 -10.75',
      'warning R11 1-late-1-reversal 10.75',
    ]);
    expect(await toDecide(shop, '2026-10-amended-1')).toEqual([]);
    expect(await reasonsOf(shop, '2026-10-amended-1')).toEqual(['R11: over 0, under 0 (10.75)']);
  });
});

const HELD: Order = { name: '#2', total: '111.75' };

const decide = (shop: Month, ...lines: readonly string[]) =>
  shop.write('decided.csv', ['key,records,decision,why', ...lines, ''].join('\n'));

test.for([
  ['carried', carryLate],
  ['amended', (shop: Month, open: string) => amendLate(shop, '2026-07', open)],
] as const)(
  'a record that was held when its month was locked, and is posted later, is once in a quarter of locked months: %s',
  async ([, settle]) => {
    const shop = await month({
      settings: {
        decisions: ['deci*.csv'],
        registrations: [{ state: 'CA', since: '2019-01-01', frequency: 'quarterly' }],
      },
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
    await decide(shop, '2026-07 total-differs of 2,#2,Post,a tip of 1.00');
    await settle(shop, '2026-08');
    await shop.close('2026-08');
    const quarter = async () => {
      const figures = await shop.close('2026-Q3');
      const posted = (await shop.detail('2026-Q3')).map((row) => `${row['Transaction']} ${row['Gross']}`);
      return [errorsOf(figures), figures.totals['gross'], posted.sort()];
    };
    const once = [[], '400.00', ['1 100', '2 100', '3 100', '4 100']];
    expect(await quarter()).toEqual(once);
    await lockClosed(shop, '2026-08', '2026-09');
    expect(await quarter()).toEqual(once);
    expect(await shop.verify('2026-Q3')).toEqual([]);
  },
);
