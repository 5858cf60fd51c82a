import { describe, expect, test } from 'vitest';
import { month } from '../support/month.ts';
import type { Refund } from '../support/shop-exports.ts';

const paid = (day: string, amount: string): Refund => ({ order: '#1', at: `2026-10-${day}`, amount });

/** The goods that were given back in the month, less their share of tax, after payments files that took one another's place, each of them closed. */
const refundsAfter = async (refunded: string, ...files: readonly (readonly Refund[])[]) => {
  const shop = await month({ orders: [{ name: '#1', status: 'partially_refunded', refunded }], refunds: [] });
  for (const refunds of files) {
    await shop.change({ refunds });
    // What the exports make of the month is extracted whether or not anything is recorded.
    await shop.told(0, 'close', '2026-10', '--plan');
  }
  await shop.close();
  const detail = await shop.detail();
  return detail
    .filter((row) => row['Kind'] === 'refund')
    .map((row) => `${row['Business date']} ${row['Gross'] ?? row['Gross not posted']}`);
};

describe('a payments file that takes the place of an earlier one', () => {
  test.for([
    ['amount', '44.30', [paid('12', '22.15')], [paid('12', '44.30')], ['2026-10-12 -40']],
    ['day', '22.15', [paid('12', '22.15')], [paid('14', '22.15')], ['2026-10-14 -20']],
  ] as const)('corrected or continued: %s', async ([, refunded, first, second, refunds]) => {
    expect(await refundsAfter(refunded, first, second)).toEqual(refunds);
  });

  test('put back as it was, it holds as it did', async () => {
    const good = [paid('12', '22.15')];
    const wrong = [paid('12', '11.08')];
    expect(await refundsAfter('22.15', good, wrong, good)).toEqual(['2026-10-12 -20']);
  });
});
