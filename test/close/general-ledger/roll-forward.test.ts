import { describe, expect, test } from 'vitest';
import { JOURNAL_LINES, journalMemo } from '../../../src/close/filing/journal/journal-lines.ts';
import {
  type GeneralLedger,
  type LedgerBefore,
  NO_ACCOUNT,
} from '../../../src/close/general-ledger/general-ledger.ts';
import type { LedgerEntry } from '../../../src/close/general-ledger/ledger-file.ts';
import { ledgerSales } from '../../../src/close/general-ledger/ledger-sales.ts';
import type { OpenReturn } from '../../../src/close/general-ledger/open-items.ts';
import { ledgerRollForward } from '../../../src/close/general-ledger/roll-forward.ts';
import type { DetailRow } from '../../../src/close/reconcile/detail-row.ts';
import type { CalendarDate } from '../../../src/kernel/calendar.ts';
import { money } from '../../../src/kernel/money.ts';
import { parsePeriod } from '../../../src/kernel/period.ts';

const day = (date: number): CalendarDate => `2026-10-${String(date).padStart(2, '0')}` as CalendarDate;
const OCTOBER = parsePeriod('2026-10') ?? expect.fail();

type Booked = Partial<Omit<LedgerEntry, 'amount'>> & { readonly amount: number };
type Sold = {
  readonly record: string;
  readonly on?: number;
  readonly tax?: number;
  readonly marketplace?: number;
};

const entry = ({ amount, ...more }: Booked, line: number): LedgerEntry => ({
  ...{ account: 'Payable', date: day(10), type: '', number: '', name: '', memo: '', split: '' },
  ...{ file: 'ledger.csv', line: line + 2, ...more, amount: money(amount) },
});

const leftBy = (more: Partial<LedgerBefore> = {}): LedgerBefore => ({
  period: '2026-09',
  balances: [{ group: 'TX', tieout: money(1_000), ledger: money(1_000) }],
  items: [],
  returns: [],
  amended: [],
  ...more,
});

const openReturn = (
  payable: number,
  collected: number,
  discount = 0,
  due = day(20),
  { fees = 0, useTax = 0, prepayments = 0, credits = 0, rounding = 0 } = {},
): OpenReturn => ({
  ...{ state: 'TX', key: 'TX', due, periods: ['2026-09'], payable: money(payable) },
  ...{ collected: money(collected), discount: money(discount), fees: money(fees) },
  adjustments: {
    ...{ useTax: money(useTax), rounding: money(rounding) },
    ...{ prepayments: money(prepayments), credits: money(credits) },
  },
});

/** Roll October forward: one account of Texas, opening with 10.00. */
const roll = (
  entries: readonly Booked[],
  sales: readonly Sold[] = [],
  last: LedgerBefore | null = leftBy(),
) => {
  const ledger: GeneralLedger = {
    accounts: [{ account: 'Payable', state: 'TX' }],
    openings: [{ account: 'Payable', amount: money(1_000) }],
    entries: entries.map(entry),
    before: last,
    amendedBefore: [],
  };
  const gathered = ledgerSales(ledger, OCTOBER);
  for (const { record, on = 10, tax = 0, marketplace = 0 } of sales) {
    const row = { isPosted: true, state: 'TX', kind: 'order', id: record, record, reference: '' };
    gathered.add({ ...row, businessDate: day(on), collected: money(tax) } as DetailRow, {
      marketplaceTax: money(marketplace),
    });
  }
  const { groups, causes, items, returns } = ledgerRollForward(ledger, gathered, OCTOBER);
  const [group] = groups;
  return {
    tieout: group?.tieout,
    ledger: group?.ledger,
    causes: causes.map(({ line, cause, amount, entry: at }) => [line, cause, Number(amount), at]),
    items,
    returns,
  };
};

describe('tax of sales', () => {
  test('that a marketplace collected is not a liability of the seller', () => {
    const sold = [
      { record: '1001', tax: 825 },
      { record: '1002', marketplace: 500 },
      { record: '1003', on: 12, marketplace: 300 },
    ];
    const entries = [
      { amount: 825, type: 'Invoice', number: '1001' },
      { amount: 500, type: 'Invoice', number: '1002' },
      { amount: 300, date: day(12), memo: 'Marketplace' },
    ];
    expect(roll(entries, sold).causes).toEqual([
      ['collected', 'marketplace-tax', -500, 3],
      ['collected', 'marketplace-tax', -300, 4],
    ]);
  });

  test('that is posted twice is told by its second entry', () => {
    const entries = [1, 2].map(() => ({ amount: 825, type: 'Invoice', number: '1001' }));
    expect(roll(entries, [{ record: '#1001', tax: 825 }]).causes).toEqual([
      ['collected', 'posted-twice', -825, 3],
    ]);
  });

  test('is in all lines of its document together', () => {
    const lines = (...amounts: readonly number[]) =>
      amounts.map((amount) => ({ amount, type: 'Invoice', number: '1001' }));
    const sold = [{ record: '#1001', tax: 825 }];
    expect(roll(lines(625, 200), sold).causes).toEqual([]);
    expect(roll(lines(625, 225), sold).causes).toEqual([['collected', 'other-amount', -25, 2]]);
  });

  test('in a wrong amount is not taken for a second entry of the sales in the same journal', () => {
    const line = (order: string, amount: number) => ({
      ...{ amount, type: 'Journal Entry', number: 'JE-42', memo: `Order ${order} at 8.25% in 2026` },
    });
    const entries = [line('1008', 825), line('1009', 8_250)];
    const sold = ['#1008', '#1009'].map((record) => ({ record, tax: 825 }));
    expect(roll(entries, sold).causes).toEqual([
      ['collected', 'unexplained', -8_250, 3],
      ['collected', 'not-posted', 825, 0],
    ]);
  });

  test('of the month before that is invoiced with another amount is settled with the difference', () => {
    const item = { group: 'TX', day: '2026-09-30' as CalendarDate, amount: money(825), record: '#1009' };
    const left = leftBy({
      balances: [{ group: 'TX', tieout: money(1_825), ledger: money(1_000) }],
      items: [item],
    });
    const invoice = { amount: 850, date: day(2), type: 'Invoice', number: '1009' };
    const result = roll([invoice], [], left);
    expect(result.causes).toEqual([
      ['opening', 'carried', 825, 0],
      ['collected', 'other-month', -825, 2],
      ['collected', 'other-amount', -25, 2],
    ]);
    expect(result.items).toEqual([]);
    const journal = roll([{ ...invoice, type: 'Journal Entry' }], [], left);
    expect(journal.items).toEqual([item]);
  });

  test('of the month before is settled by the entry that books it, by its number or in a payout', () => {
    const item = { group: 'TX', day: '2026-09-30' as CalendarDate, amount: money(825) };
    const left = leftBy({
      balances: [{ group: 'TX', tieout: money(1_825), ledger: money(1_000) }],
      items: [{ ...item, record: '#1009' }],
    });
    const opening = ['opening', 'carried', 825, 0];
    const settled = ['collected', 'other-month', -825, 2];
    const sold = [{ record: '#1010', on: 1, tax: 825 }];
    const numbered = roll([{ amount: 825, date: day(1), memo: 'Invoice #1009' }], sold, left);
    expect(numbered.causes).toEqual([opening, settled, ['collected', 'day-missing', 825, 0]]);
    expect(numbered.items).toEqual([{ group: 'TX', day: day(1), amount: 825, record: '' }]);
    const payout = roll([{ amount: 1_650, date: day(2), memo: 'Payout' }], sold, left);
    expect(payout.causes).toEqual([opening, settled]);
    expect(payout.items).toEqual([]);
    expect(payout.tieout?.closing).toBe(2_650);
    expect(payout.ledger?.closing).toBe(2_650);
  });
});

test.each(['Sales 10/10 Round Rock store', 'Sales of the Pinterest shop'])(
  'an entry of sales is not taken for an adjustment by a word within a name: %s',
  (memo) => {
    expect(roll([{ amount: 825, memo }]).ledger).toMatchObject({ collected: 825, adjustments: 0 });
  },
);

describe('returns of the month before', () => {
  const DISCOUNT = { amount: -5, type: 'Sales Tax Adjustment', memo: 'Timely discount' };
  const ROUNDING = { amount: 5, type: 'Journal Entry', memo: 'Rounding' };

  test('that are paid, discounted and adjusted bring their tax to nothing', () => {
    const paid = { amount: -1_000, type: 'Sales Tax Payment' };
    const result = roll([paid, DISCOUNT, ROUNDING], [], leftBy({ returns: [openReturn(1_000, 1_000, 5)] }));
    expect(result.causes).toEqual([]);
    expect(result.tieout).toEqual({
      ...{ opening: 1_000, collected: 0, remitted: -1_000, discounts: -5, adjustments: 5, closing: 0 },
    });
    expect(result.returns).toEqual([]);
  });

  test('whose discount and adjustment the ledger lacks say so', () => {
    const paid = { amount: -1_000, memo: 'EFT to the state' };
    expect(roll([paid], [], leftBy({ returns: [openReturn(1_000, 1_000, 5)] })).causes).toEqual([
      ['discounts', 'discount-not-booked', -5, 0],
      ['adjustments', 'adjustment-not-booked', 5, 0],
    ]);
  });

  test('are paid together, or stay open beside a payment of another amount', () => {
    const two = leftBy({
      returns: [openReturn(600, 600, 0, day(20)), openReturn(400, 400, 0, day(21))],
    });
    expect(roll([{ amount: -1_000, type: 'Check' }], [], two)).toMatchObject({ causes: [], returns: [] });
    const other = roll([{ amount: -999, type: 'Check' }], [], two);
    expect(other.causes).toEqual([['remitted', 'remittance-unmatched', 999, 2]]);
    expect(other.returns).toHaveLength(2);
  });

  test('that a prepayment pays are settled on their due date, with nothing remitted', () => {
    const prepaid = leftBy({ returns: [openReturn(0, 1_000, 5, day(20), { prepayments: -995 })] });
    const used = { amount: -995, memo: 'Prepayments used, TX 01-114 2026-09' };
    const result = roll([used, DISCOUNT], [], prepaid);
    expect(result).toMatchObject({ causes: [], returns: [] });
    expect(result.tieout).toMatchObject({ remitted: 0, discounts: -5, adjustments: -995, closing: 0 });
    expect(roll([], [], prepaid).causes).toEqual([
      ['discounts', 'discount-not-booked', -5, 0],
      ['adjustments', 'adjustment-not-booked', -995, 0],
    ]);
    const later = leftBy({ returns: [openReturn(0, 1_000, 0, '2026-11-20' as CalendarDate)] });
    expect(roll([], [], later).returns).toHaveLength(1);
  });

  test('are paid late without their discount', () => {
    const late = roll(
      [{ amount: -1_000, date: day(28), type: 'Check' }],
      [],
      leftBy({ returns: [openReturn(995, 1_000, 5)] }),
    );
    expect(late).toMatchObject({ causes: [], returns: [] });
    expect(late.tieout).toMatchObject({ remitted: -1_000, discounts: 0, adjustments: 0, closing: 0 });
  });

  test('are cleared in one entry where everything else has accounts of its own', () => {
    const cleared = leftBy({ returns: [openReturn(1_010, 1_000, 5, day(20), { useTax: 15 })] });
    for (const memo of ['Tax charged, TX 01-114 2026-09', '']) {
      const result = roll([{ amount: -1_000, memo }], [], cleared);
      expect(result).toMatchObject({ causes: [], returns: [] });
      expect(result.tieout).toMatchObject({ remitted: -1_000, discounts: 0, adjustments: 0 });
    }
  });

  test('are booked line by line in the words of the journal, or beside its accounts', () => {
    const parts = { useTax: 30, prepayments: -200, credits: -50, rounding: -3, fees: 7 };
    const filed = leftBy({ returns: [openReturn(792, 1_000, 5, day(20), parts)] });
    const lines = [
      ['expense', 20],
      ['useTax', 30],
      ['prepayments', -200],
      ['credits', -50],
      ['discount', -5],
      ['rounding', -3],
      ['fees', 4],
      ['feeExpense', 3],
      ['due', -799],
    ] as const;
    const written = lines.map(([line, amount]) => ({ amount, memo: journalMemo(line, 'TX 01-114 2026-09') }));
    const beside = lines.map(([line, amount]) => ({ amount, split: JOURNAL_LINES[line].account }));
    for (const entries of [written, beside]) {
      const result = roll(entries, [], filed);
      expect(result).toMatchObject({ causes: [], returns: [] });
      expect(result.tieout).toMatchObject({ remitted: -799, discounts: -5, adjustments: -196, closing: 0 });
    }
    expect(roll(written.slice(1), [], filed).causes).toEqual([
      ['adjustments', 'adjustment-not-booked', 20, 0],
    ]);
  });

  test('are paid in two parts, beside another return that stays open', () => {
    const two = leftBy({ returns: [openReturn(1_000, 1_000), openReturn(400, 400, 0, day(21))] });
    const parts = [{ amount: -350 }, { amount: -650 }].map((part) => ({ ...part, type: 'Check' }));
    const result = roll(parts, [], two);
    expect(result.causes).toEqual([]);
    expect(result.returns).toMatchObject([{ payable: 400 }]);
  });

  test('that end in a credit are settled by the refund of the state', () => {
    const credit = leftBy({ returns: [openReturn(-500, -500)] });
    const refunded = roll([{ amount: 500, type: 'Deposit', memo: 'State of Texas' }], [], credit);
    expect(refunded).toMatchObject({ causes: [], returns: [] });
    expect(refunded.tieout).toMatchObject({ collected: 0, remitted: 500 });
    expect(roll([{ amount: 500, type: 'Deposit' }], [{ record: '1', tax: 500 }]).tieout).toMatchObject({
      collected: 500,
    });
  });

  test('tell a payment without words from a refund by its amount', () => {
    const paid = leftBy({ returns: [openReturn(1_000, 1_000)] });
    expect(roll([{ amount: -1_000 }], [], paid).ledger).toMatchObject({ remitted: -1_000, collected: 0 });
    expect(roll([{ amount: -10 }], [], paid).ledger).toMatchObject({ remitted: 0, collected: -10 });
  });
});

test('returns of states without an account are open until they are due, and then not called unpaid', () => {
  const returns = [day(20), '2026-11-20' as CalendarDate].map((due) => ({
    ...openReturn(838, 838, 0, due),
    ...{ state: 'NV', key: 'NV' },
  }));
  const balances = [{ group: NO_ACCOUNT, tieout: money(1_676), ledger: money(0) }];
  expect(roll([], [], leftBy({ balances, returns })).returns).toEqual([returns[1]]);
});

describe('the opening balance', () => {
  test('is that of the ledger in the first period, with what it has of earlier returns', () => {
    const result = roll([{ amount: -1_000, type: 'Sales Tax Payment' }], [], null);
    expect(result).toMatchObject({ causes: [], tieout: { opening: 1_000, remitted: -1_000, closing: 0 } });
  });

  test('shows what was changed in the ledger since the month before was closed', () => {
    const closed = leftBy({ balances: [{ group: 'TX', tieout: money(900), ledger: money(950) }] });
    expect(roll([], [], closed).causes).toEqual([
      ['opening', 'carried', -50, 0],
      ['opening', 'changed-since', -50, 0],
    ]);
  });
});
