import { describe, expect, test } from 'vitest';
import { cell, cents, committed, expectedOf, groupsOf, rowsOf } from './shopify-file.ts';

const expected = expectedOf();
const groups = groupsOf(rowsOf('orders_export.csv'));
const groupsNamed = (name: string) => groups.filter((group) => group.name === name);
const headOf = (name: string) => groupsNamed(name)[0]?.head;
const centsIn = (name: string, column: string): number => cents(cell(headOf(name), column));

describe('the README', () => {
  const dollars = (amount: number): string =>
    `${amount < 0 ? '-' : ''}${(Math.abs(amount) / 100).toFixed(2)}`;

  test('tells how many rows the two exports have', () => {
    expect(committed('README.md')).toContain(`${expected.orders['total']?.rows} rows, 315 orders`);
    expect(committed('README.md')).toContain(`transactions, ${expected.paymentRows} rows`);
  });

  const table = committed('README.md')
    .split('\n')
    .map((line) => line.split('|').map((text) => text.trim()));

  test.for(expected.plants)('lists $order under item $item with its code and its effect', (plant) => {
    const keptOut = plant.keptOutCents > 0 ? dollars(plant.keptOutCents) : '';
    const line = table.find(([, item, order]) => item === String(plant.item) && order === plant.order);
    expect(line?.slice(4, 7)).toEqual([plant.code, dollars(plant.effectCents), keptOut]);
  });
});

describe('the 25 refunds', () => {
  const refundRows = rowsOf('payment_transactions_export.csv').filter(({ Type }) => Type === 'refund');

  test('20 are full, 5 partial; 4 of September orders in October, 4 of October orders in November', () => {
    const count = (fits: (refund: (typeof expected.refunds)[number]) => boolean) =>
      expected.refunds.filter(fits).length;
    expect(count(({ kind }) => kind === 'full')).toBe(20);
    expect(count(({ kind }) => kind === 'partial')).toBe(5);
    expect(count(({ orderPeriod, period }) => orderPeriod === '2026-09' && period === '2026-10')).toBe(4);
    expect(count(({ orderPeriod, period }) => orderPeriod === '2026-10' && period === '2026-11')).toBe(4);
    expect(refundRows).toHaveLength(25);
  });

  test.for(expected.refunds)(
    '$refund is dated by the payments file, and its amount by both files',
    (refund) => {
      const dated = refundRows.filter(({ Order }) => Order === refund.order);
      expect(dated.map((row) => [cell(row, 'Transaction Date'), cents(row['Amount'])])).toEqual([
        [refund.at, -refund.amountWithTaxCents],
      ]);
      expect(centsIn(refund.order, 'Refunded Amount')).toBe(refund.amountWithTaxCents);
      expect(refund.at > cell(headOf(refund.order), 'Created at')).toBe(true);
      expect(refund.businessDate).toBe(refund.at.slice(0, 10));
    },
  );
});
