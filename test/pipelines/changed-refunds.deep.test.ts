import { describe, expect, test } from 'vitest';
import { messagesOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { OAKLAND, type Place } from '../support/shop-exports.ts';

type Refund = {
  readonly price: string;
  readonly tax: string;
  readonly to?: Place;
};

/** A shop that gives back a part of its one order. */
const shopWith = async (changedRefunds: 'adjust' | 'review') => {
  const shop = await month({ settings: { policy: { changedRefunds } } });
  return {
    ...shop,
    /** Close the month with the refund as the export has it now. */
    refunded: async (refund: Refund) => {
      await shop.change({
        template: [{ name: 'T-1' }, { name: 'T-1-R', refundOf: 'T-1', at: '2026-10-20', ...refund }],
      });
      return shop.close();
    },
    refunds: async () => (await shop.records('shop')).filter((record) => record.startsWith('refund')),
  };
};

const FIFTY = { price: '50.00', tax: '5.38' };
const SIXTY = { price: '60.00', tax: '6.45' };

describe('a refund that says something else after it was recorded', () => {
  test('is brought up to its export by further refunds, which count as one record with it', async () => {
    const shop = await shopWith('adjust');
    expect(await shop.refunded(FIFTY)).toMatchObject({ exit_code: 0, submissions: { created: 2 } });

    const changed = await shop.refunded(SIXTY);
    expect(changed).toMatchObject({
      exit_code: 0,
      submissions: { adjusted: 1, unchanged: 1, conflicts: 0 },
      totals: { recorded: '4.30', collected: '4.30' },
    });
    expect(await shop.refunds()).toEqual(['refund T-1-R -50.00 -5.38', 'refund T-1-R-adj-1 -10.00 -1.07']);
    const days = await shop.rows('Completeness');
    expect(days.map((day) => [day['Posted'], day['Recorded'], day['Extra']])).toEqual([
      [1, 1, 0],
      [1, 1, 0],
    ]);

    expect((await shop.refunded(SIXTY)).submissions).toMatchObject({
      adjusted: 0,
      unchanged: 2,
      withdrawn: 0,
    });
    expect(await shop.refunded({ price: '70.00', tax: '7.53' })).toMatchObject({
      exit_code: 0,
      submissions: { adjusted: 1 },
    });
    expect(await shop.refunds()).toHaveLength(3);
    expect(await shop.verify()).toEqual([]);
  });

  test.for([
    ['review', SIXTY, 'amount', 'the policy leaves every change to a person'],
    ['adjust', { price: '40.00', tax: '4.30' }, 'amount', 'a refund can only add to what was given back'],
    ['adjust', { ...SIXTY, tax: '5.00' }, 'sales_tax', 'and so can its tax'],
    [
      'adjust',
      { ...FIFTY, to: { ...OAKLAND, zip: '94601' } },
      'to_zip',
      'a further refund corrects no address',
    ],
  ] as const)('with the policy %s and %j is left to a person: %s', async ([policy, changed, field]) => {
    const shop = await shopWith(policy);
    await shop.refunded(FIFTY);
    const figures = await shop.refunded(changed);
    expect(figures).toMatchObject({ exit_code: 1, submissions: { adjusted: 0, conflicts: 1 } });
    expect(
      messagesOf(figures, 'recorded-otherwise').filter((message) => message.startsWith(field)),
    ).toHaveLength(1);
    expect(await shop.refunds()).toEqual(['refund T-1-R -50.00 -5.38']);
  });
});
