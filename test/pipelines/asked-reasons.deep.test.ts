import { describe, expect, test } from 'vitest';
import { type Month, type MonthData, month } from '../support/month.ts';
import { rowsOf } from '../support/rows.ts';
import type { Order, Place } from '../support/shop-exports.ts';

/** Where the rate rose from 7 % to 8 % on 2026-04-01. */
const MACON: Place = { city: 'Macon', zip: '31201', state: 'GA' };
const COLUMBUS: Place = { city: 'Columbus', zip: '43215', state: 'OH' };
const SETTINGS = {
  registrations: [
    { state: 'CA', since: '2019-01-01' },
    { state: 'GA', since: '2019-01-01' },
    { state: 'OH', since: '2026-06-15' },
  ],
};

const BY_HAND = `key,records,decision,why
2026 R99 of #by-hand at 7.77,#by-hand,Set by hand,agreed with the buyer on the phone
`;

/** 100.00 of goods to Macon. */
const macon = (at: string, tax: string, more: Partial<Order> = {}): Order => ({
  name: '#1',
  to: MACON,
  at,
  tax,
  ...more,
});
const sold = (order: Order): MonthData => ({ orders: [order], settings: SETTINGS });

/** The reasons in Detail with their proof, after a close of the year. */
const reasonsOf = async (shop: Month, ...args: readonly string[]) => {
  await shop.close('2026', ...args);
  return (await shop.detail('2026'))
    .filter((row) => row['Reason'] !== null)
    .map((row) => `${row['Reason']} ${row['Reason amount']}: ${row['Proof']}`);
};

describe('a reason that the service is asked about', () => {
  test.for(
    rowsOf(`
      2026-03-31 20:00:00 -0700 | 8.00 | Macon    | #1       | R16 1: recomputed as of 2026-04-01, its day in UTC: 8.00
      2026-10-05                | 7.00 | Macon    | #1       | R02 -1: recomputed at the rates of 2026-03-31: 7.00
      2026-10-05                | 8.75 | Macon    | #1       | R04 0.75: recomputed at the place of the seller: 8.75
      2026-06-10                | 8.00 | Columbus | #1       | R12 8: recomputed as if registered, as of 2026-06-15: 8.00
      2026-06-20                | 0.00 | Columbus | #1       | R12 -8: nexus in the destination since 2026-06-15, inside the period; 8.00 was due
      2026-10-05                | 7.77 | Macon    | #by-hand | R23 -0.23: set by hand: agreed with the buyer on the phone
      2026-10-05                | 7.78 | Macon    | #by-hand | R99 -0.22: no recomputation with one thing changed gives what was collected
    `),
  )('is that of what was charged: at %s %s to %s, %s: %s', async ([at, tax, city, name, reason]) => {
    const shop = await month(sold(macon(at, tax, { name, ...(city === 'Columbus' && { to: COLUMBUS }) })));
    await shop.write('decisions.csv', BY_HAND);
    expect(await reasonsOf(shop)).toEqual([reason]);
  });

  test('may be a refund at the rates of its own day', async () => {
    const shop = await month({
      template: [
        { name: '1', at: '2026-03-20', to: MACON, tax: '7.00' },
        { name: '1-R', refundOf: '1', at: '2026-04-05', to: MACON, tax: '8.00' },
      ],
      settings: SETTINGS,
    });
    expect(await reasonsOf(shop)).toEqual([
      'R13 -1: recomputed as of 2026-04-05, the day of the refund: 8.00',
    ]);
  });

  test('waits for the next run when the budget is spent, and is asked then', async () => {
    const shop = await month(sold(macon('2026-10-05', '7.00')));
    const [unexplained = ''] = await reasonsOf(shop, '--max-calculations', '1');
    expect(unexplained).toMatch(
      /^R99 -1: not every recomputation was asked for: .*`service.maxQuestions`.*`service.maxCalculations`/,
    );
    expect(await reasonsOf(shop)).toEqual(['R02 -1: recomputed at the rates of 2026-03-31: 7.00']);
  });

  test.for([
    ['honoured', 'R02'],
    ['ignored', 'R99'],
  ] as const)('by another day only where the service heeds the day: %s', async ([asOf, reason]) => {
    const shop = await month(sold(macon('2026-10-05', '7.00')));
    const days = new Set<unknown>();
    // A remote service does not say what its content covers.
    await shop.closeWith(({ configuration, service: { coverage, ...service }, ...ports }) => ({
      ...ports,
      configuration: {
        ...configuration,
        service: { ...configuration.service, url: 'https://tax.example/v2/', asOf },
      },
      service: {
        ...service,
        calculateTax: (request) => {
          days.add(request.calculation_date);
          return service.calculateTax(request);
        },
      },
    }));
    expect((await shop.detail()).map((row) => row['Reason'])).toEqual([reason]);
    expect(days.size > 1).toBe(asOf === 'honoured');
  });
});
