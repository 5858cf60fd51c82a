import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MonthFigures, nexusWatchOf } from '../../src/filing/nexus.ts';
import { money } from '../../src/kernel/money.ts';
import { monthIndex, monthName } from '../../src/kernel/period.ts';
import { dollars, law } from './figures-of.ts';

const month = (name: string, gross: string, more: Partial<MonthFigures> = {}): MonthFigures => ({
  month: name,
  gross: dollars(gross),
  resale: dollars('0'),
  taxable: dollars(gross),
  marketplace: dollars('0'),
  transactions: 1,
  marketplaceTransactions: 0,
  ...more,
});

/** The same figures in each month of a span. */
const months = (
  from: string,
  to: string,
  gross: string,
  more: Partial<MonthFigures> = {},
): MonthFigures[] => {
  const first = monthIndex(from);
  return Array.from({ length: monthIndex(to) - first + 1 }, (_, step) =>
    month(monthName(first + step), gross, more),
  );
};

/** The same figures from January to October. */
const tenMonths = (gross: string, more: Partial<MonthFigures> = {}): MonthFigures[] =>
  months('2026-01', '2026-10', gross, more);

const watch = (state: string, given: readonly MonthFigures[], asOf = '2026-10', isRegistered = false) =>
  nexusWatchOf(law.nexus, state, given, asOf, isRegistered);

describe('the nexus watch', () => {
  const resale = { resale: dollars('4000.00') };
  const onMarkets = { marketplace: dollars('7000.00') };
  const allOnMarkets = { taxable: dollars('0.00'), marketplace: dollars('10000.00') };
  const twelve = (gross: string, transactions: number) =>
    months('2025-12', '2026-10', gross, { transactions });
  test.each([
    ['CA', tenMonths('10000.00'), 2000, 'below', '100,000 of 500,000 this year'],
    ['CA', months('2025-01', '2025-12', '45000.00'), 10800, 'crossed', 'last year counts too'],
    ['TX', months('2025-11', '2026-10', '35000.00'), 8400, 'close', 'twelve months that roll'],
    ['TX', months('2025-01', '2025-10', '90000.00'), 0, 'below', 'what is older than twelve months is past'],
    ['NY', twelve('60000.00', 5), 5500, 'below', '660,000 and 55 of 100 sales: both must be met'],
    ['NY', twelve('60000.00', 10), 11000, 'crossed', '660,000 and 110 sales'],
    ['GA', tenMonths('100.00', { transactions: 19 }), 9500, 'close', '190 of 200 sales are enough of one'],
    ['GA', tenMonths('10000.00', resale), 6000, 'below', 'sales for resale do not count'],
    ['FL', tenMonths('20000.00', { taxable: dollars('5000.00') }), 5000, 'below', 'only taxable sales count'],
    ['MO', tenMonths('10000.00', allOnMarkets), 10000, 'crossed', 'they count where the law is not clear'],
    ['AZ', tenMonths('10000.00', onMarkets), 3000, 'below', 'marketplace sales do not count'],
    ['CA', tenMonths('10000.00', onMarkets), 2000, 'below', 'marketplace sales count'],
    ['CT', months('2025-10', '2026-09', '9000.00', { transactions: 20 }), 10800, 'crossed', 'to September'],
  ] as const)('%s: %#', (state, given, reached, status, _why) => {
    const found = watch(state, given);
    expect([found?.reached, found?.status]).toEqual([reached, status]);
  });

  test('a threshold changes with its law: Kentucky counts sales no more since August 2026', () => {
    const given = tenMonths('100.00', { transactions: 30 });
    expect(watch('KY', given, '2026-07')?.reached).toBe(10500);
    expect(watch('KY', given, '2026-10')?.reached).toBe(100);
  });

  test('more sales never bring a seller farther from a threshold', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...new Set(law.nexus.map(({ state }) => state))),
        fc.array(fc.integer({ min: 0, max: 20_000_000 }), { minLength: 12, maxLength: 24 }),
        fc.integer({ min: 0, max: 11 }),
        (state, amounts, extra) => {
          const first = monthIndex('2026-10') - amounts.length + 1;
          const given = amounts.map((cents, step) => ({
            ...month(monthName(first + step), '0'),
            gross: money(cents),
            taxable: money(cents),
          }));
          const index = amounts.length - 1 - extra;
          const more = given.map((each, at) =>
            at === index
              ? {
                  ...each,
                  gross: money(each.gross + 100_000),
                  taxable: money(each.taxable + 100_000),
                  transactions: 2,
                }
              : each,
          );
          expect(watch(state, more)?.reached ?? 0).toBeGreaterThanOrEqual(watch(state, given)?.reached ?? 0);
        },
      ),
    );
  });
});
