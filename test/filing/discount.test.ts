import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { discountRuleFor } from '../../src/filing/load-filing-law.ts';
import { FREQUENCIES } from '../../src/filing/registration.ts';
import { discountOf } from '../../src/filing/return-of.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { formatMoney, money } from '../../src/kernel/money.ts';
import { dollars, law, ofState, registrationOf } from './figures-of.ts';

describe('timely-filing discounts', () => {
  test.each([
    ['FL', 'monthly', '2026-11-20', '1200.00', '30.00', '2.5 % of the first 1,200'],
    ['FL', 'monthly', '2026-11-20', '90000.00', '30.00', 'nothing of what is above'],
    ['PA', 'monthly', '2026-11-20', '2400.00', '24.00', '1 % is less than 25'],
    ['PA', 'monthly', '2026-11-20', '2600.00', '25.00', '25 is less than 1 %'],
    ['PA', 'semiannual', '2027-01-20', '90000.00', '150.00', '150 for half a year'],
    ['NY', 'quarterly', '2026-12-21', '4001.00', '200.00', 'at most 200 a quarter'],
    ['NY', 'monthly', '2026-11-20', '4001.00', '0.00', 'none on a monthly return'],
    ['IL', 'monthly', '2024-12-20', '100000.00', '1750.00', 'no cap before 2025'],
    ['IL', 'monthly', '2025-01-21', '100000.00', '1000.00', 'at most 1,000 on returns due from 2025 on'],
    ['IL', 'annual', '2027-01-20', '100.00', '5.00', 'an annual filer keeps at least 5'],
    ['IL', 'annual', '2027-01-20', '3.00', '3.00', 'and never more than the tax'],
    ['GA', 'monthly', '2026-11-20', '5000.00', '100.00', '3 % of 3,000 and 0.5 % of 2,000'],
    ['MI', 'monthly', '2026-11-20', '3000.00', '10.00', 'half a percent of two thirds'],
    ['MI', 'monthly', '2026-11-20', '900.00', '6.00', 'at least 6'],
    ['MI', 'monthly', '2026-11-20', '8.99', '5.99', 'below 9 two thirds of the tax'],
    ['MI', 'quarterly', '2026-10-20', '5400.00', '18.00', 'at least 18 a quarter'],
    ['MI', 'quarterly', '2026-10-20', '26.00', '17.33', 'below 27 two thirds of the tax'],
    ['MI', 'monthly', '2026-11-20', '9000000.00', '15000.00', 'at most 15,000'],
    ['TX', 'monthly', '2026-11-20', '1000.00', '5.00', 'half a percent'],
    ['CO', 'monthly', '2025-12-22', '500.00', '20.00', '4 % in 2025'],
    ['CO', 'monthly', '2026-01-20', '500.00', '0.00', 'none since 2026'],
    ['VA', 'monthly', '2026-11-20', '500.00', '0.00', 'not seen in a source, so not claimed'],
    ['TX', 'monthly', '2026-11-20', '-100.00', '0.00', 'nothing of a refund'],
  ] as const)('%s %s due %s on %s: %s, for %s', (state, frequency, due, base, claimed, _why) => {
    const rule = discountRuleFor({ ...ofState(state), frequency }, calendarDate(due));
    const registration = registrationOf(state, { frequency });
    const amount = base.startsWith('-') ? money(-10_000) : dollars(base);
    const found = discountOf(rule, amount, dollars('5000.00'), registration);
    expect(formatMoney(found.claimed)).toBe(claimed);
  });

  test('no discount is ever negative, above its cap, or above the tax', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...law.discounts),
        fc.constantFrom(...FREQUENCIES),
        fc.integer({ min: -1_000_000, max: 2_000_000_000 }),
        (rule, frequency, base) => {
          const registration = registrationOf(rule.state, { frequency });
          const { claimed } = discountOf(rule, money(base), dollars('1.00'), registration);
          const { perReturn = {} } = rule.cap ?? {};
          expect(claimed).toBeGreaterThanOrEqual(0);
          expect(claimed).toBeLessThanOrEqual(Math.max(0, base));
          expect(claimed).toBeLessThanOrEqual(perReturn[frequency] ?? Infinity);
        },
      ),
    );
  });
});
