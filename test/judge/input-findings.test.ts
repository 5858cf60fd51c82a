import { expect, test } from 'vitest';
import { findingsOfInputs } from '../../src/judge/input-findings.ts';
import { ZERO_PRICE as none, price } from '../../src/kernel/money.ts';

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
