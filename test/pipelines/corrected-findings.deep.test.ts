import { describe, expect, test } from 'vitest';
import { amendLate, carryLate } from '../support/decisions.ts';
import { type Month, month } from '../support/month.ts';
import { OAKLAND, type Order, SEATTLE, type TemplateRow } from '../support/shop-exports.ts';

const lock = async (shop: Month, period: string): Promise<void> => {
  await shop.close(period);
  await shop.told(0, 'lock', period, '--open-exceptions', 'known');
};

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

/** The variance of a period by its reasons: `R11 10.75`. */
const reasonsOf = async (shop: Month, version: string): Promise<readonly string[]> =>
  (await shop.rows('By_reason', version)).map((row) => `${row['Code']} ${row['Net']}`);

const uncharged: Order = { name: '#1', tax: '0.00' };
const right: Order = { name: '#1' };
const ofNovember: Order = { name: '#2', at: '2026-11-02' };

/** October, locked, with an order that was charged nothing; then the shop states it otherwise. */
const correctedShop = async (choice: 'next' | 'amend', now: Order): Promise<Month> => {
  const shop = await month({ orders: [uncharged] });
  await lock(shop, '2026-10');
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
    expect(exceptions.filter(({ code, severity }) => /^R/.test(code) && severity !== 'notice')).toEqual([]);
    expect(await saidOf(shop, '2026-11')).toEqual(['notice reversed 1-late-1-reversal 10.75']);
    expect(await reasonsOf(shop, '2026-11')).toEqual(['R11 10.75']);
    const rows = await shop.rows('Exceptions', '2026-11');
    expect(rows.find(({ Code }) => Code === 'reversed')).toMatchObject({
      'What to do': expect.stringMatching(/^Nothing on this return\./),
      What: expect.stringMatching(/^R11 of -10\.75 was filed and is reversed: /),
    });
  });

  test('is not asked about again where the order is not charged as before', async () => {
    const shop = await correctedShop('next', { ...uncharged, price: '80.00' });
    await shop.close('2026-11');
    expect(await saidOf(shop, '2026-11')).toEqual([
      'notice filed-before 1-late-1 -8.6',
      'notice reversed 1-late-1-reversal 10.75',
    ]);
  });

  test('is taken back in an amended version, where it was found', async () => {
    const shop = await correctedShop('amend', right);
    expect(await saidOf(shop, '2026-10-amended-1')).toEqual([
      'notice reversed 1 -10.75',
      'notice reversed 1-late-1-reversal 10.75',
    ]);
    expect(await reasonsOf(shop, '2026-10-amended-1')).toEqual(['R11 0']);
  });
});

describe('tax that a filed order was charged where nothing was due', () => {
  const charged: TemplateRow = { name: '#1', to: SEATTLE, tax: '10.55' };
  const ofCalifornia: TemplateRow = { name: '#2', at: '2026-11-02', to: OAKLAND, tax: '10.75' };

  /** October is locked in a shop that is not registered in Washington, and the order is carried as it is then. */
  const carried = async (now: TemplateRow): Promise<Month> => {
    const materiality = { amount: '100.00', percent: '0' };
    const shop = await month({ template: [charged], settings: { policy: { materiality } } });
    await lock(shop, '2026-10');
    await shop.change({ template: [now, ofCalifornia] });
    await carryLate(shop, '2026-11');
    await shop.close('2026-11');
    return shop;
  };

  test.for([
    [
      'as before, to another address',
      { to: { city: 'Seattle', zip: '98102', state: 'WA' } },
      ['notice filed-before 1-late-1 10.55'],
    ],
    [
      'more',
      { price: '150.00', tax: '15.83' },
      ['notice filed-before 1-late-1 10.55', 'warning R10 1-late-1 5.28'],
    ],
    ['less', { price: '50.00', tax: '5.28' }, ['notice filed-before 1-late-1 5.28']],
    ['nothing', { tax: '0.00' }, []],
  ] as const)('is asked about beyond what was filed: it is %s', async ([, now, said]) => {
    const shop = await carried({ ...charged, ...now });
    const back = 'notice reversed 1-late-1-reversal -10.55';
    expect(await saidOf(shop, '2026-11')).toEqual([...said, back].sort());
  });
});
