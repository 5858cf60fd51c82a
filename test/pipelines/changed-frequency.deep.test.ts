import { describe, expect, test } from 'vitest';
import { messagesOf } from '../support/figures.ts';
import { type Month, month, type Settings } from '../support/month.ts';
import { type Order, SEATTLE } from '../support/shop-exports.ts';

/** A registration in Washington of which the frequency changes with October. */
const washington = (before: string, after: string, more: object = {}): Settings => ({
  registrations: [
    {
      ...{ state: 'WA', since: '2019-01-01', ...more },
      frequency: [
        { from: '2019-01-01', value: before },
        { from: '2026-10-01', value: after },
      ],
    },
  ],
});

const lockAll = async (shop: Month, periods: readonly string[]): Promise<void> => {
  for (const period of periods) {
    await shop.close(period);
    await shop.told(0, 'lock', period, '--as', 'Dana', '--open-exceptions', 'known');
  }
};

describe('what is left of a credit', () => {
  const months = ['2026-07', '2026-08', '2026-09'];
  const orders: readonly Order[] = months.map((at, index) => ({
    ...{ name: `#${index + 1}`, at: `${at}-14`, to: SEATTLE, tax: '10.55' },
  }));
  test.each([
    ['monthly', '2026-07', months, 'quarterly', '2026-Q4'],
    ['quarterly', '2026-Q3', [...months, '2026-Q3'], 'monthly', '2026-10'],
    ['quarterly', '2026-Q3', [...months, '2026-Q3'], 'quarterly', '2026-10..2026-12'],
  ] as const)(
    'of %s returns from %s opens the next return, whatever its length and its label',
    async (...of) => {
      const [before, first, closed, after, next] = of;
      const credits = { credits: [{ period: first, opening: '100.00' }] };
      const shop = await month({ orders, settings: washington(before, after, credits) });
      await lockAll(shop, closed);
      const { exceptions } = await shop.close(next);
      expect(exceptions.map(({ code }) => code)).not.toContain('balance-unknown');
      const rows = await shop.rows('Prepayments', next, 'filing-summary');
      expect(rows.find((row) => row['Kind'] === 'credits')?.['Opening']).toBe(68.35);
    },
  );
});

test.each([
  ['monthly', ['2026-08', '2026-09'], 'quarterly', '2026-Q4', '2026-09'],
  ['quarterly', ['2026-Q3'], 'monthly', '2026-10', '2026-Q3'],
] as const)(
  'a credit in which the last of %s returns %s ended is named by the first %s one',
  async (...of) => {
    const [before, closed, after, next, named] = of;
    const orders: readonly Order[] = [
      { name: '#1', at: '2026-06-14', to: SEATTLE, tax: '10.55', refundedOn: '2026-09-10' },
      { name: '#2', at: '2026-10-14', to: SEATTLE, tax: '10.55' },
    ];
    const shop = await month({ orders, settings: washington(before, after) });
    await lockAll(shop, closed);
    expect(messagesOf(await shop.close(next), 'credit-not-taken')).toEqual([
      `the return of WA for ${named} ended in a credit of 10.55, which this return does not use`,
    ]);
  },
);
