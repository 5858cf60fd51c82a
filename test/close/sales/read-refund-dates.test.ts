import { describe, expect, test } from 'vitest';
import { detectProfile } from '../../../src/close/sales/detect-profile.ts';
import { type CompanionRow, readRefundDates } from '../../../src/close/sales/read-refund-dates.ts';
import { isRefundDatesProfile, shippedProfiles } from '../../../src/close/sales/shipped-profiles.ts';
import { surveyOf } from './files/on-disk.ts';

/** What is read of a row, without the row itself. */
type Said = CompanionRow extends infer Row
  ? Omit<Row, 'row'> & { readonly kind: CompanionRow['kind'] }
  : never;

const ZONES = { timeZone: 'America/Los_Angeles', channelZone: 'America/Los_Angeles' };
const HEADER = 'Transaction Date,Type,Order,Payout Status,Amount,Fee,Net,Checkout';

const rowsOf = async (...lines: readonly string[]): Promise<readonly Said[]> => {
  const file = await surveyOf(`${[HEADER, ...lines].join('\n')}\n`);
  const found = await detectProfile(file, shippedProfiles());
  const { profile } = found;
  if (!isRefundDatesProfile(profile)) throw new Error(`${profile.id} has no dates of refunds`);
  const rows: Said[] = [];
  for await (const read of readRefundDates({ name: 'payments.csv' }, found, profile, ZONES)) {
    const { row: _, ...said } = read;
    rows.push(said);
  }
  return rows;
};

const refund = (cells: { date?: string; type?: string; order?: string; amount?: string } = {}) => {
  const { date = '2026-10-31 23:30:00 -0700', type = 'refund', order = '#1001', amount = '-119.50' } = cells;
  return `${date},${type},${order},paid,${amount},0.00,${amount},checkout`;
};

describe('a companion file', () => {
  test('dates repayments, whatever the sign of their amount', async () => {
    expect(await rowsOf(refund(), refund({ type: 'Refund', order: 'EU#7', amount: '5.00' }))).toEqual([
      {
        kind: 'refund',
        date: {
          order: '1001',
          instant: Date.UTC(2026, 10, 1, 6, 30),
          amount: 11_950,
          origin: { file: 'payments.csv', line: 2, record: '#1001' },
        },
      },
      { kind: 'refund', date: expect.objectContaining({ order: 'EU7', amount: 500 }) },
    ]);
  });

  test('has rows about other things, which are counted and not used', async () => {
    const rows = await rowsOf(refund({ type: 'charge' }), refund({ type: 'adjustment' }), refund());
    expect(rows.map(({ kind }) => kind)).toEqual(['other', 'other', 'refund']);
  });

  test.for([
    [
      refund({ amount: '€5' }),
      'bad-cell',
      '"€5" is not an amount of dollars and cents',
      'Amount',
      'an amount with a symbol nobody declared',
    ],
    [refund({ amount: '' }), 'bad-cell', '"" is not an amount of dollars and cents', 'Amount', 'no amount'],
    [
      refund({ amount: '5.0.0' }),
      'bad-cell',
      '"5.0.0" is not an amount of dollars and cents',
      'Amount',
      'two points',
    ],
    [
      refund({ order: '3.3E+09' }),
      'mangled-id',
      '"3.3E+09" is what a spreadsheet left of an id',
      'Order',
      'an id that went through a spreadsheet',
    ],
    [
      refund({ amount: '5.005' }),
      'bad-cell',
      '"5.005" is not an amount of dollars and cents',
      'Amount',
      'half a cent',
    ],
    [
      refund({ date: '2026-10-32 00:00:00 -0700' }),
      'bad-cell',
      '"2026-10-32 00:00:00 -0700" is not a date and time of the form yyyy-MM-dd HH:mm:ss ZZZ',
      'Transaction Date',
      'a day that does not exist',
    ],
    [refund({ order: '' }), 'bad-cell', 'the refund names no order', 'Order', 'no order'],
    [
      `${refund()},more`,
      'cell-count',
      'the row has more or fewer cells than the header',
      undefined,
      'a cell too many',
    ],
  ] as const)('has a refund rejected for $4', async ([line, code, message, column]) => {
    const [row] = await rowsOf(line);
    expect(row).toMatchObject({
      kind: 'rejected',
      aside: {
        outcome: 'rejected',
        businessDate: null,
        origin: { file: 'payments.csv', line: 2 },
        reason: column === undefined ? { code, message } : { code, message, column },
      },
    });
  });
});
