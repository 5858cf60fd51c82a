import { describe, expect, test } from 'vitest';
import { amendLate, carryLate, lockClosed } from '../support/decisions.ts';
import { type Month, month } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';

const DULUTH = { city: 'Duluth', zip: '55802', state: 'MN' };
const MILWAUKEE = { city: 'Milwaukee', zip: '53202', state: 'WI' };

/** A month that is locked, with one order that is another afterwards. */
const correctedShop = async (before: Order, after: Order | undefined): Promise<Month> => {
  const { state } = before.to ?? DULUTH;
  const november: Order = { ...before, name: '#9', at: '2026-11-10' };
  const shop = await month({
    orders: [before],
    settings: { registrations: [{ state, since: '2019-01-01' }] },
  });
  await lockClosed(shop, '2026-10');
  await shop.change({ orders: [after ?? { ...before, status: 'voided' as const }, november] });
  await shop.close('2026-11');
  return shop;
};

const feeOf = async (shop: Month, period: string) => {
  const [row] = await shop.rows('Fees_MN', period, 'filing-summary');
  return [row?.['Orders'], row?.['Due']];
};

describe('a delivery fee of an order that is corrected after the lock', () => {
  const before: Order = { name: '#1', to: DULUTH, price: '150.00', tax: '13.31' };
  const after: Order = { ...before, price: '160.00', tax: '14.20' };

  test('is not owed again where the correction is carried', async () => {
    const shop = await correctedShop(before, after);
    await carryLate(shop, '2026-11');
    await shop.close('2026-11');
    // The fee of the order of November.
    expect(await feeOf(shop, '2026-11')).toEqual([1, 0.5]);
    expect(await shop.verify('2026-11')).toEqual([]);
  });

  test('is owed once on the amended return', async () => {
    const shop = await correctedShop(before, after);
    await amendLate(shop, '2026-10', '2026-11');
    expect(await feeOf(shop, '2026-10-amended-1')).toEqual([1, 0.5]);
  });
});

test('the amended return of an order that has become another has no returned goods', async () => {
  const before: Order = { name: '#1', to: MILWAUKEE, price: '150.00', tax: '11.85' };
  const shop = await correctedShop(before, { ...before, price: '160.00', tax: '12.64' });
  await amendLate(shop, '2026-10', '2026-11');
  const rows = await shop.rows('Return_WI', '2026-10-amended-1', 'filing-summary');
  expect(rows).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ 'What to enter': 'Total sales', Amount: 160 }),
      expect.objectContaining({ 'What to enter': 'Returns, allowances and bad debts', Amount: 0 }),
    ]),
  );
});
