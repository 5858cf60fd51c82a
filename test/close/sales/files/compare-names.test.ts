import { expect, test } from 'vitest';
import { compareNames } from '../../../../src/close/sales/files/compare-names.ts';

test.each([
  [
    'browsers put a number behind a further copy',
    ['orders.csv', 'orders (1).csv', 'orders (2).csv', 'orders (10).csv'],
  ],
  ['without brackets, too', ['orders.csv', 'orders 2.csv', 'orders-3.csv']],
  ['days are in order', ['orders_2026-09-30.csv', 'orders_2026-10-01.csv', 'orders_2026-10-02.csv.gz']],
  ['parts are counted', ['orders-part-1.csv', 'orders-part-2.csv', 'orders-part-10.csv']],
  ['other names follow the alphabet', ['a/orders.csv', 'b/orders.csv', 'b/refunds.csv']],
  ['names of one number are told apart', ['orders-01.csv', 'orders-1.csv', 'orders-2.csv']],
])('%s', (_, names) => {
  expect(names.toReversed().sort(compareNames)).toEqual(names);
});
