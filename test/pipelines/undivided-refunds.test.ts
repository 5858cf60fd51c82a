import { describe, expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { tieout } from '../support/tieout.ts';

/** A shop that gave back 20.00 of its one order of 110.75, which its export does not divide. */
const shopWith = (policy: object) =>
  month({
    settings: { policy },
    orders: [{ name: '#1', status: 'partially_refunded', refunded: '20.00' }],
    refunds: [{ order: '#1', at: '2026-10-20', amount: '20.00' }],
  });

describe('a dated part that an export does not divide', () => {
  test('is left to a person, who sees what it would come to', async () => {
    const shop = await shopWith({});
    const figures = await shop.close();
    expect([figures.exit_code, figures.submissions['created']]).toEqual([1, 1]);
    expect(figures.exceptions.filter(({ code }) => code === 'refund-not-split')).toMatchObject([
      {
        message: '20.00 was refunded, and the export does not split it into goods, shipping and tax',
        accepted: '',
      },
    ]);
    expect(figures.totals['collected']).toBe('10.75');
  });

  test('is divided as its order is, recorded, explained and proven, where the policy says so', async () => {
    const shop = await shopWith({ undividedRefunds: 'prorate' });
    const figures = await shop.close();
    expect(figures).toMatchObject({
      exit_code: 0,
      submissions: { created: 2 },
      totals: { collected: '8.81', recorded: '8.81' },
    });
    expect(await shop.records('shopify')).toContain('refund 1-refund -18.06 -1.94');
    expect(figures.exceptions.map(({ code }) => code)).toContain('refund-prorated');
    const verified = await tieout(['verify', shop.out()]);
    expect([verified.code, verified.stderr]).toEqual([0, '']);
  });
});
