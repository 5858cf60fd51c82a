import { describe, expect, test } from 'vitest';
import { formatInstant } from '../../src/kernel/calendar.ts';
import { type CompanionRow, readCompanion } from '../../src/sales/companion-rows.ts';
import { detectProfile } from '../../src/sales/detect-profile.ts';
import { isCompanionProfile, shippedProfiles } from '../../src/sales/load-profiles.ts';
import { surveyOf } from './files/on-disk.ts';

/** What is read of a row, without the row itself. */
type Said = CompanionRow extends infer Row
  ? Omit<Row, 'row'> & { readonly kind: CompanionRow['kind'] }
  : never;

const ZONES = { timeZone: 'America/Los_Angeles', channelZone: 'America/Los_Angeles' };
const HEADER = 'Transaction Date,Type,Order,Payout Status,Amount,Fee,Net,Checkout';

const rowsUnder = async (...lines: readonly string[]): Promise<readonly CompanionRow[]> => {
  const file = await surveyOf(`${lines.join('\n')}\n`);
  const found = await detectProfile(file, shippedProfiles());
  const { profile } = found;
  if (!isCompanionProfile(profile)) throw new Error(`${profile.id} has no dates of refunds`);
  const rows: CompanionRow[] = [];
  for await (const row of readCompanion({ name: 'payments.csv' }, found, profile, ZONES)) rows.push(row);
  return rows;
};

const rowsOf = async (...lines: readonly string[]): Promise<readonly Said[]> =>
  (await rowsUnder(HEADER, ...lines)).map(({ row: _, ...said }) => said);

const refund = (cells: { date?: string; type?: string; order?: string; amount?: string } = {}) => {
  const { date = '2026-10-31 23:30:00 -0700', type = 'refund', order = '#1001', amount = '-119.50' } = cells;
  return `${date},${type},${order},paid,${amount},0.00,${amount},checkout`;
};

describe('a companion file', () => {
  test('dates repayments, whatever the sign of their amount', async () => {
    expect(await rowsOf(refund(), refund({ type: 'Refund', order: 'EU#7', amount: '5.00' }))).toEqual([
      {
        kind: 'accepted',
        repayment: {
          order: '1001',
          instant: Date.UTC(2026, 10, 1, 6, 30),
          amount: 11_950,
          origin: { file: 'payments.csv', line: 2, record: '#1001' },
        },
      },
      { kind: 'accepted', repayment: expect.objectContaining({ order: 'EU7', amount: 500 }) },
    ]);
  });

  test('has rows about other things, which are counted and not used', async () => {
    const rows = await rowsOf(refund({ type: 'charge' }), refund({ type: 'adjustment' }), refund());
    expect(rows.map(({ kind }) => kind)).toEqual(['ignored', 'ignored', 'accepted']);
  });

  test.for([
    [
      refund({ amount: '€5' }),
      'bad-cell',
      '"€5" is not an amount of dollars and cents',
      'Amount',
      'an amount with a symbol no one declared',
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
    [refund({ order: '' }), 'bad-cell', 'the row names no order', 'Order', 'no order'],
    [
      `${refund()},more`,
      'cell-count',
      'the row on line 2 has 9 cells, and the header has 8',
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

/** What a companion file of another service says of its repayments, in short. */
const toldBy = async (header: string, lines: readonly string[]): Promise<readonly string[]> =>
  (await rowsUnder(header, ...lines)).map((row) => {
    if (row.kind === 'accepted')
      return `${row.repayment.order} ${row.repayment.amount} ${formatInstant(row.repayment.instant)}`;
    return row.kind === 'rejected' ? row.aside.reason.code : 'ignored';
  });

describe('an activity download of PayPal', () => {
  const PAYPAL =
    'Date,Time,TimeZone,Type,Status,Currency,Gross,Fee,Net,Transaction ID,Reference Txn ID,Invoice Number,Custom Number,Balance Impact';
  const paid = (
    cells: Partial<Record<'date' | 'zone' | 'type' | 'status' | 'gross' | 'numbers' | 'impact', string>>,
  ) => {
    const { date = '10/04/2026', zone = 'PDT', type = 'Payment Refund', status = 'Completed' } = cells;
    const { gross = '-54.13', numbers = '1001,', impact = 'Debit' } = cells;
    return `${date},09:42:51,${zone},${type},${status},USD,"${gross}",0.95,-53.18,1EF,8AB,${numbers},${impact}`;
  };
  test.for([
    [{}, '1001 5413 2026-10-04T16:42:51.000Z', 'a refund'],
    [{ date: '11/02/2026', zone: 'PST' }, '1001 5413 2026-11-02T17:42:51.000Z', 'in winter'],
    [{ numbers: 'WC-1001,' }, '1001 5413 2026-10-04T16:42:51.000Z', 'with the mark of WooCommerce'],
    [{ numbers: ',#1001' }, '1001 5413 2026-10-04T16:42:51.000Z', 'with its order in the other column'],
    [{ gross: '-1,054.13' }, '1001 105413 2026-10-04T16:42:51.000Z', 'of more than a thousand'],
    [
      { type: 'Chargeback', impact: '' },
      '1001 5413 2026-10-04T16:42:51.000Z',
      'without the column of impacts',
    ],
    [{ type: 'Express Checkout Payment', gross: '108.25', impact: 'Credit' }, 'ignored', 'a sale'],
    [{ type: 'General Withdrawal' }, 'ignored', 'money taken to the bank'],
    [{ status: 'Pending', impact: 'Memo' }, 'ignored', 'a refund that moves nothing yet'],
    [{ gross: '54.13', impact: 'Credit' }, 'ignored', 'a refund by a supplier'],
    [{ numbers: ',' }, 'bad-cell', 'a refund that names no order'],
    [{ date: '20/09/2026' }, 'bad-cell', 'the date of an account elsewhere'],
    [{ zone: 'CEST' }, 'bad-cell', 'the clock of an account elsewhere'],
  ] as const)('%# %j is %s: %s', async ([cells, told]) => {
    expect(await toldBy(PAYPAL, [paid(cells)])).toEqual([told]);
  });
});

test('payment details of Toast date a refund by their own column', async () => {
  const header =
    'Location,Payment Id,Order Id,Paid Date,Amount,Tip,Refunded,Refund Date,Refund Amount,Refund Tip Amount,Status';
  const rows = [
    'Main St,p1,900001,10/3/26 5:40 PM,21.95,4.00,FULL,10/6/26 10:02 AM,21.95,0.00,CAPTURED',
    'Main St,p2,900002,10/3/26 6:40 PM,8.86,0.00,NONE,,0.00,0.00,CAPTURED',
    'Main St,p3,900003,10/3/26 6:40 PM,8.86,0.00,PARTIAL,2026-10-06,4.00,0.00,CAPTURED',
  ];
  expect(await toldBy(header, rows)).toEqual(['900001 2195 2026-10-06T17:02:00.000Z', 'ignored', 'bad-cell']);
});
