import { describe, expect, test } from 'vitest';
import { whatIfsOf } from '../../../src/close/reconcile/what-ifs.ts';
import { calendarDate } from '../../../src/kernel/calendar.ts';
import { LINE, refundOf, saleOf } from '../sales/sale-of.ts';

const shown = (...given: Parameters<typeof saleOf>) =>
  whatIfsOf(saleOf(...given)).map(({ code, what }) => `${code} ${what}`);

describe('what may explain a variance', () => {
  test('is first that the categories were ignored, then the rates of the eight quarters before', () => {
    expect(shown()).toEqual([
      'R05 with product categories ignored',
      'R02 at the rates of 2026-09-30',
      'R02 at the rates of 2026-06-30',
      'R02 at the rates of 2026-03-31',
      'R02 at the rates of 2025-12-31',
      'R02 at the rates of 2025-09-30',
      'R02 at the rates of 2025-06-30',
      'R02 at the rates of 2025-03-31',
      'R02 at the rates of 2024-12-31',
    ]);
  });

  test('is no category where there is none', () => {
    const plain = { ...LINE, taxCode: null };
    expect(shown({ lines: [plain] })[0]).toBe('R02 at the rates of 2026-09-30');
    expect(shown({ lines: [plain, LINE] })[0]).toBe('R05 with product categories ignored');
  });

  test.for([
    ['2026-10-01', '2026-09-30', 'on the first day of a quarter'],
    ['2026-12-31', '2026-09-30', 'on its last'],
    ['2026-01-15', '2025-12-31', 'in the first quarter of a year'],
    ['2026-08-15', '2026-06-30', 'in the middle of one'],
  ] as const)('looks back from %s to %s: %s', ([date, end]) => {
    expect(shown({ taxDate: calendarDate(date), lines: [] })[0]).toBe(`R02 at the rates of ${end}`);
  });

  test('is the same sale with one thing changed', () => {
    const sale = saleOf();
    const [plain, earlier] = whatIfsOf(sale);
    expect(plain?.sale).toEqual({ ...sale, lines: [{ ...LINE, taxCode: null }] });
    expect(earlier?.sale).toEqual({ ...sale, taxDate: '2026-09-30' });
  });

  test('goes back from the day of the order, also for its refund', () => {
    const refund = { ...refundOf(saleOf()), taxDate: calendarDate('2026-06-15') };
    expect(whatIfsOf(refund).at(1)?.sale.taxDate).toBe('2026-03-31');
  });
});
