import { expect, test } from 'vitest';
import { recordLines, trialsIn } from '../samples/exports/list-sample.ts';
import { folderOf } from './files/on-disk.ts';
import { csvOf } from './shopify-export.ts';

/** What becomes of the rows of a companion file beside an export without orders. */
const toldBy = async (header: string, ...lines: readonly string[]) => {
  const text = `${[header, ...lines].join('\n')}\n`;
  const trials = await trialsIn(await folderOf({ 'orders.csv': csvOf([]), 'paid.csv': text }), [
    'orders.csv',
    'paid.csv',
  ]);
  return recordLines(trials).map((line) => line.replace(/refund-without-order +/, '').replace('  ', ' '));
};

const SHOPIFY = 'Transaction Date,Type,Order,Payout Status,Amount,Fee,Net,Checkout';
const refund = (cells: { date?: string; type?: string; order?: string; amount?: string } = {}) => {
  const { date = '2026-10-31 23:30:00 -0700', type = 'refund', order = '#1001', amount = '-119.50' } = cells;
  return `${date},${type},${order},paid,${amount},0.00,${amount},checkout`;
};

test('a companion file dates repayments, whatever the sign of their amount, and has rows about other things', async () => {
  const others = [refund({ type: 'charge' }), refund({ type: 'adjustment' })];
  expect(await toldBy(SHOPIFY, refund(), ...others, refund({ order: 'EU#7', amount: '5.00' }))).toEqual([
    '1001-refund-x1 refund of 1001 review 2026-10-31 119.50',
    'EU7-refund-x1 refund of EU7 review 2026-10-31 5.00',
  ]);
});

test.for([
  [refund({ amount: '€5' }), 'bad-cell', 'an amount with a symbol no one declared'],
  [refund({ amount: '5.005' }), 'bad-cell', 'half a cent'],
  [refund({ order: '3.3E+09' }), 'mangled-id', 'an id that went through a spreadsheet'],
  [refund({ order: '' }), 'bad-cell', 'no order'],
  [`${refund()},more`, 'cell-count', 'a cell too many'],
] as const)('%s is rejected as %s, for %s', async ([line, code]) => {
  expect(await toldBy(SHOPIFY, line)).toEqual([expect.stringMatching(new RegExp(`rejected ${code}$`))]);
});

const PAYPAL =
  'Date,Time,TimeZone,Type,Status,Currency,Gross,Fee,Net,Transaction ID,Reference Txn ID,Invoice Number,Custom Number,Balance Impact';
const paid = (
  cells: Partial<Record<'date' | 'zone' | 'type' | 'status' | 'gross' | 'numbers' | 'impact', string>>,
) => {
  const { date = '10/04/2026', zone = 'PDT', type = 'Payment Refund', status = 'Completed' } = cells;
  const { gross = '-54.13', numbers = '1001,', impact = 'Debit' } = cells;
  return `${date},09:42:51,${zone},${type},${status},USD,"${gross}",0.95,-53.18,1EF,8AB,${numbers},${impact}`;
};
const REFUND = '1001-refund-x1 refund of 1001 review 2026-10-04 54.13';

test.for([
  [{}, REFUND, 'a refund'],
  [{ numbers: ',#1001' }, REFUND, 'with its order in the other column'],
  [{ type: 'Chargeback', impact: '' }, REFUND, 'without the column of impacts'],
  [{ type: 'Express Checkout Payment', gross: '108.25', impact: 'Credit' }, undefined, 'a sale'],
  [{ status: 'Pending', impact: 'Memo' }, undefined, 'a refund that moves nothing yet'],
  [{ gross: '54.13', impact: 'Credit' }, undefined, 'a refund by a supplier'],
  [{ numbers: ',' }, '- rejected bad-cell', 'a refund that names no order'],
  [{ date: '20/09/2026' }, '1001 rejected bad-cell', 'the date of an account elsewhere'],
] as const)('of PayPal, %j is %s: %s', async ([cells, told]) => {
  expect(await toldBy(PAYPAL, paid(cells))).toEqual(told === undefined ? [] : [told]);
});
