import { describe, expect, test } from 'vitest';
import { amendLate, carryLate } from '../support/decisions.ts';
import { type Month, month, type Settings } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';
import { storedCells } from '../support/stored-cells.ts';

const lock = async (shop: Month): Promise<void> => {
  await shop.close('2026-10');
  await shop.told(0, 'lock', '2026-10', '--open-exceptions', 'known');
};

/** The sides of each reason on the sheet Bridge, in books that the evidence proves. */
const sidesOf = async (shop: Month, version: string) => {
  expect(await shop.verify(version)).toEqual([]);
  return (await shop.rows('By_reason', version)).map(({ Code, Over, Under, Net, Reversed }) => ({
    Code,
    Over,
    Under,
    Net,
    Reversed,
  }));
};

/** What the card of the sheet Decide says of them. */
const cardOf = async (shop: Month, version: string) =>
  (await storedCells(shop.book(version))).find(({ value }) => String(value).startsWith('charged too much'))
    ?.value;

const uncharged: Order = { name: '#1', tax: '0.00' };

describe('an order that was charged too little, and is right now', () => {
  const correctedShop = async (choice: string, settings: Settings = {}): Promise<Month> => {
    const shop = await month({ orders: [uncharged], settings });
    await lock(shop);
    expect(await sidesOf(shop, '2026-10')).toEqual([
      { Code: 'R11', Over: 0, Under: -10.75, Net: -10.75, Reversed: undefined },
    ]);
    await shop.change({ orders: [{ name: '#1' }, { name: '#2', at: '2026-11-02' }] });
    if (choice === '--carry') await carryLate(shop, '2026-11');
    else await amendLate(shop, '2026-10', '2026-11');
    return shop;
  };

  test('does not count as charged too much in the month that carries the correction', async () => {
    const shop = await correctedShop('--carry');
    const { reasons, totals } = await shop.close('2026-11');
    expect(reasons).toEqual([{ code: 'R11', sales: 1, over: '0.00', under: '10.75' }]);
    expect(totals).toMatchObject({ variance: '10.75', unexplained: '0.00' });
    expect(await sidesOf(shop, '2026-11')).toEqual([
      { Code: 'R11', Over: 0, Under: 10.75, Net: 10.75, Reversed: 10.75 },
    ]);
    expect(await cardOf(shop, '2026-11')).toBe('charged too much 0.00, too little 10.75 reversed');
    const marked = (await shop.detail('2026-11')).filter(({ Reversal }) => Reversal === 'Yes');
    expect(marked.map(({ Transaction }) => Transaction)).toEqual(['1-late-1-reversal']);
  });

  test.for([
    ['lists every sale', {}],
    ['adds sales up', { policy: { detailRows: 0 } }],
  ] as const)('counts on neither side of an amended version whose Detail %s', async ([, settings]) => {
    const shop = await correctedShop('--amend', settings);
    const version = '2026-10-amended-1';
    expect(await sidesOf(shop, version)).toEqual([
      { Code: 'R11', Over: 0, Under: 0, Net: 0, Reversed: 10.75 },
    ]);
    expect(await cardOf(shop, version)).toBe('charged too much 0.00, too little (0.00)');
    const marked = (await shop.detail(version)).filter(({ Reversal }) => Reversal === 'Yes');
    expect(marked.map((row) => row['Reason amount'])).toEqual([10.75]);
  });
});
