import { describe, expect, test } from 'vitest';
import type { DetailRow } from '../../src/judge/detail-row.ts';
import { findingsOfInputs } from '../../src/judge/input-findings.ts';
import { findingsOfSale } from '../../src/judge/sale-findings.ts';
import { calendarDate, instant } from '../../src/kernel/calendar.ts';
import { money, ZERO_PRICE as none, price } from '../../src/kernel/money.ts';
import { parsePeriod } from '../../src/kernel/period.ts';
import type { Sale } from '../../src/sales/sale.ts';
import { refundOf, saleOf } from '../sales/sale-of.ts';
import { rowOf } from './detail-rows.ts';

const OCTOBER = parsePeriod('2026-10') ?? {
  label: '',
  first: calendarDate('2026-10-01'),
  last: calendarDate('2026-10-31'),
};
/** An order whose day is the same in UTC, so that its date is nothing to speak of. */
const noon = (changes: Partial<Sale> = {}) =>
  saleOf({ instant: instant(Date.UTC(2026, 9, 31, 19)), ...changes });

const seen = (
  sale: Sale,
  changes: Partial<DetailRow> = {},
  differences: Parameters<typeof findingsOfSale>[2] = [],
  isDue = true,
) =>
  findingsOfSale(rowOf(sale, changes), sale, differences, { period: OCTOBER, isDue }).map(
    ({ severity, code, message, effect }) => `${severity} ${code} ${effect}: ${message}`,
  );
const tiedOut = { reasons: [], status: 'tied out' } as const;

describe('what is worth seeing about a sale', () => {
  test('is each reason of its variance: an error only where there is none', () => {
    const reasons = [
      { code: 'R06', amount: money(83), proof: 'recomputed with shipping taxed: 9.08' },
      { code: 'R01', amount: money(-1), proof: 'recomputed rounded per line: 9.07' },
    ] as const;
    expect(seen(noon(), { reasons, status: 'explained' })).toEqual([
      'warning R06 83: Freight taxability: recomputed with shipping taxed: 9.08',
      'warning R01 -1: Rounding: recomputed rounded per line: 9.07',
    ]);
    expect(seen(noon())).toEqual([
      'error R99 125: Unexplained: collected 9.50, due 8.25; no recomputation with one thing changed gives what was collected',
    ]);
  });

  test('is why it needs a person, with the tax that is at stake', () => {
    const review = {
      outcome: 'review' as const,
      findings: [
        { code: 'zip-not-in-state', message: 'ZIP 89101 does not lie in CA' },
        { code: 'partly-paid', message: 'the order is only partly paid' },
      ],
    };
    expect(seen(noon(review))).toEqual([
      'error zip-not-in-state 950: ZIP 89101 does not lie in CA',
      'warning partly-paid 0: the order is only partly paid',
    ]);
    expect(seen(refundOf(noon(review)))[0]).toBe('error zip-not-in-state -950: ZIP 89101 does not lie in CA');
  });

  test('is each value that is recorded otherwise, and not each way of writing', () => {
    const differences = [
      { field: 'to_zip', sent: '90012', recorded: '90013', kind: 'value' },
      { field: 'to_city', sent: 'Los Angeles', recorded: 'LOS ANGELES', kind: 'format' },
    ] as const;
    expect(seen(noon(), tiedOut, differences)).toEqual([
      'error recorded-otherwise 0: to_zip was sent as "90012" and is recorded as "90013"; once it is deleted there, it is sent again',
    ]);
  });
});

test('rows and amounts of a file that became nothing are errors', () => {
  const column = {
    used: price(1_000_000),
    review: none,
    ignored: none,
    rejected: none,
    unreadable: undefined,
  };
  const subtotal = { ...column, column: 'Subtotal', whole: price(2_000_000) };
  const counts = { rows: 2, used: 1, ignored: 0, rejected: 0 };
  const of = { channel: 'shop', profile: 'shopify.orders', sha256: 'a'.repeat(64) };
  const found = findingsOfInputs([{ path: 'oct.csv', ...counts, ...of, columns: [subtotal], notices: [] }]);
  expect(found.map(({ severity, code, message }) => `${severity} ${code}: ${message}`)).toEqual([
    'error control-total: 2 rows were read, and 1 were used, ignored or rejected',
    'error control-total: Subtotal comes to 200.00 in the file, and to 100.00 over the rows that were used, ignored or rejected',
  ]);
});
