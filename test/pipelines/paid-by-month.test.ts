import { describe, expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { month } from '../support/month.ts';
import { SEATTLE } from '../support/shop-exports.ts';

type Paid = { readonly period: string; readonly opening?: string; readonly added?: string };

/** A quarterly filer with one sale of 100.00 in the quarter, and what was paid before. */
const quarterly = (paid: { readonly prepayments?: readonly Paid[]; readonly credits?: readonly Paid[] }) =>
  month({
    orders: [{ name: '#1', at: '2026-08-14', price: '100.00', tax: '10.55', to: SEATTLE }],
    settings: {
      registrations: [{ state: 'WA', since: '2019-01-01', frequency: 'quarterly', ...paid }],
    },
  });

const accountOf = async (paid: Parameters<typeof quarterly>[0], kind: string) => {
  const shop = await quarterly(paid);
  await shop.close('2026-Q3');
  const rows = await shop.rows('Prepayments', '2026-Q3', 'filing-summary');
  const row = rows.find(({ Kind }) => Kind === kind);
  return [row?.['Opening'], row?.['Added'], row?.['Used']];
};

describe('what is stated for the months of a quarter', () => {
  test.for(['prepayments', 'credits'])('is in its return, added up: %s', async (kind) => {
    const months = [
      { period: '2026-07', opening: '1.00', added: '2.00' },
      { period: '2026-09', added: '3.50' },
      { period: '2026-10', added: '100.00' },
    ];
    expect(await accountOf({ [kind]: months }, kind)).toEqual([1, 5.5, 6.5]);
  });

  test('is not stated once more for the quarter', async () => {
    const shop = await quarterly({
      credits: [
        { period: '2026-Q3', added: '5.00' },
        { period: '2026-08', added: '5.00' },
      ],
    });
    const { code, stderr } = await shop.run('close', '2026-Q3');
    expect([code, codeOf(stderr)]).toEqual([78, 'E_CONFIG_INVALID']);
    expect(stderr).toContain('must not overlap with 2026-Q3');
  });
});
