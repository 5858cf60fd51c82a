import { describe, expect, test } from 'vitest';
import { type Month, month, type Settings } from '../support/month.ts';
import { type Order, SEATTLE } from '../support/shop-exports.ts';

/** A registration in Washington of which the frequency changes on a day. */
const washington = (before: string, after: string, from: string): Settings => ({
  registrations: [
    {
      ...{ state: 'WA', since: '2019-01-01' },
      credits: [{ period: '2026-06', opening: '100.00' }],
      frequency: [
        { from: '2026-01-01', value: before },
        { from, value: after },
      ],
    },
  ],
});

const lock = async (shop: Month, period: string): Promise<void> => {
  await shop.close(period);
  await shop.told(0, 'lock', period, '--as', 'Dana', '--open-exceptions', 'known');
};

const MONTHS = ['06', '07', '08', '09'].map((number) => `2026-${number}`);
const ORDERS = MONTHS.map(
  (at, index): Order => ({ name: `#${index + 1}`, at: `${at}-14`, to: SEATTLE, tax: '10.55' }),
);

/** What `status` says of the return of each closed period. */
const returnsOf = async (shop: Month) => {
  const { periods } = JSON.parse((await shop.run('status', '--json')).stdout);
  return Object.fromEntries(
    (periods as { period: string; returns: { status: string }[] }[]).map(({ period, returns }) => [
      period,
      returns.map(({ status }) => status),
    ]),
  );
};

describe('a shop that files by quarter from the middle of a year', () => {
  test('has each month on one return, with what its credits left', async () => {
    const shop = await month({ orders: ORDERS, settings: washington('monthly', 'quarterly', '2026-07-01') });
    for (const period of MONTHS) await lock(shop, period);
    await shop.close('2026-Q3');
    expect(await returnsOf(shop)).toEqual({
      ...{ '2026-06': ['TO FILE'], '2026-Q3': ['TO FILE'] },
      ...{ '2026-07': ['NOT DUE'], '2026-08': ['NOT DUE'], '2026-09': ['NOT DUE'] },
    });
    const rows = await shop.rows('Prepayments', '2026-Q3', 'filing-summary');
    expect(rows.find((row) => row['Kind'] === 'credits')?.['Opening']).toBe(89.45);
  });

  test('keeps in an amended version the frequency that it was locked with', async () => {
    const shop = await month({ orders: ORDERS, settings: washington('monthly', 'quarterly', '2026-07-01') });
    await lock(shop, '2026-06');
    await shop.change({ settings: washington('quarterly', 'quarterly', '2026-07-01') });
    await shop.close('2026-06', '--amend');
    expect((await returnsOf(shop))['2026-06-amended-1']).not.toEqual(['NOT DUE']);
  });
});
