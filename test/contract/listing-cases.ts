import { beforeAll, describe, expect, it } from 'vitest';
import type { ListingQueryInput } from '../../src/contract/transaction.ts';
import { ORDER, REFUND, refusalOf, SANTA_MONICA } from './samples.ts';
import type { ServiceProvider, SuiteService } from './wire-calls.ts';

/** Ids, their moments, and their providers, in no order. */
const RECORDED = [
  ['late', '2026-10-31T23:59:59Z', 'api'],
  ['first', '2026-10-01', 'api'],
  ['b', '2026-10-15T12:00:00Z', 'api'],
  ['B', '2026-10-15T12:00:00Z', 'api'],
  ['a', '2026-10-15T12:00:00Z', 'api'],
  ['west', '2026-10-31T23:30:00-07:00', 'api'],
  ['before', '2026-09-30T23:59:59Z', 'api'],
  ['woo', '2026-10-15T12:00:00Z', 'woo'],
] as const;

const LISTED: readonly (readonly [ListingQueryInput, readonly string[], string])[] = [
  [{}, ['before', 'first', 'B', 'a', 'b', 'late', 'west'], 'everything, by date and then id'],
  [{ transaction_date: '2026-10-15' }, ['B', 'a', 'b'], 'one day'],
  [{ transaction_date: '2026/10/15' }, ['B', 'a', 'b'], 'with slashes'],
  [{ transaction_date: '2026-10-01' }, ['first'], 'a day begins at midnight UTC'],
  [{ transaction_date: '2026-10-31' }, ['late'], 'and ends before the next, in UTC'],
  [
    { from_transaction_date: '2026-10-01', to_transaction_date: '2026-10-31' },
    ['first', 'B', 'a', 'b', 'late'],
    'a range includes both of its days',
  ],
  [
    { from_transaction_date: '2026-10-15', to_transaction_date: '2026-10-15' },
    ['B', 'a', 'b'],
    'a range of one day',
  ],
  [{ from_transaction_date: '2025-01-01', to_transaction_date: '2025-12-31' }, [], 'nothing happened'],
  [{ provider: 'woo' }, ['woo'], 'another source'],
  [{ provider: 'WOO', transaction_date: '2026-10-15' }, ['woo'], 'a source is written in small letters'],
  [{ provider: '' }, ['before', 'first', 'B', 'a', 'b', 'late', 'west'], 'blank is the usual source'],
  [{ provider: 'ebay' }, [], 'a source of nothing'],
];

const REFUSED: readonly (readonly [ListingQueryInput, string])[] = [
  [{ transaction_date: '15.10.2026' }, 'transaction_date must be a date (YYYY-MM-DD)'],
  [{ from_transaction_date: '2026-10-01' }, 'to_transaction_date is missing'],
  [{ to_transaction_date: '2026-10-01' }, 'from_transaction_date is missing'],
  [
    {
      transaction_date: '2026-10-01',
      from_transaction_date: '2026-10-01',
      to_transaction_date: '2026-10-01',
    },
    'transaction_date cannot be combined with a range of dates',
  ],
];

export const listingCases = (newService: ServiceProvider): void => {
  let service: SuiteService;
  beforeAll(async () => {
    service = await newService(SANTA_MONICA);
    for (const [id, transaction_date, provider] of RECORDED) {
      await service.createOrder({ ...ORDER, transaction_id: id, transaction_date, provider });
      await service.createRefund({ ...REFUND, transaction_id: id, transaction_date, provider });
    }
    await service.createRefund({
      ...REFUND,
      transaction_id: 'only-a-refund',
      transaction_date: '2027-01-01',
    });
    await service.createOrder({ ...ORDER, transaction_id: 'only-an-order', transaction_date: '2027-01-01' });
  });

  describe.each([
    ['orders', 'only-an-order', (query: ListingQueryInput) => service.list('order', query)],
    ['refunds', 'only-a-refund', (query: ListingQueryInput) => service.list('refund', query)],
  ])('of %s', (_, only, list) => {
    it.each(LISTED)('%j: %j (%s)', async (query, expected) => {
      const ids = await list(query);
      expect(ids.filter((id) => id !== only)).toEqual(expected);
    });

    it('know nothing of the other kind', async () => {
      expect(await list({ transaction_date: '2027-01-01' })).toEqual([only]);
    });

    it.each(REFUSED)('%j are refused: %s', async (query, detail) => {
      expect(await refusalOf(list(query))).toEqual({ status: 406, detail });
    });

    it('refuse a range that ends before it begins: both days are well formed and contradict each other', async () => {
      const backwards = { from_transaction_date: '2026-10-02', to_transaction_date: '2026-10-01' };
      expect(await refusalOf(list(backwards))).toEqual({
        status: 400,
        detail: 'to_transaction_date must not be before from_transaction_date',
      });
    });
  });

  it('follow a record whose date is changed, and forget one that is deleted', async () => {
    const moving = await newService(SANTA_MONICA);
    await moving.createOrder({ ...ORDER, transaction_id: 'mover', transaction_date: '2026-10-15' });
    await moving.updateOrder('mover', { transaction_date: '2026-11-15' });
    expect(await moving.list('order', { transaction_date: '2026-10-15' })).toEqual([]);
    expect(await moving.list('order', { transaction_date: '2026-11-15' })).toEqual(['mover']);
    await moving.remove('order', 'mover');
    expect(await moving.list('order', {})).toEqual([]);
  });
};
