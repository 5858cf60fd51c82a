import { add, formatMoney, type Money, negate, subtract, sum, ZERO } from '../../kernel/money.ts';
import type { LedgerEntry } from './ledger-file.ts';
import type { BalanceLine, CauseCode, LedgerCause, OpenReturn } from './open-items.ts';

/** Remittances, discounts and adjustments of a period for one group, matched with the returns. */
export type SettledReturns = {
  /** Amounts remitted, discounted and adjusted for the returns that the ledger paid. */
  readonly remitted: Money;
  readonly discounts: Money;
  readonly adjustments: Money;
  readonly causes: readonly LedgerCause[];
  /** Returns still unpaid. */
  readonly open: readonly OpenReturn[];
};

export type SettleGiven = {
  readonly group: string;
  readonly returns: readonly OpenReturn[];
  readonly remitted: readonly LedgerEntry[];
  readonly discounts: readonly LedgerEntry[];
  readonly adjustments: readonly LedgerEntry[];
};

/**
 * Match the payments in a ledger with the open returns, and its discounts and adjustments with those of the returns
 * paid. A paid return clears the tax collected in its periods: the unpaid part was kept as a discount, or is an
 * adjustment.
 */
export const settleReturns = (given: SettleGiven): SettledReturns => {
  const { group } = given;
  const { paid, open, strangers } = payments(given);
  const discounts = booked(group, 'discounts', given.discounts, paid.map(discountOf));
  const adjustments = booked(group, 'adjustments', given.adjustments, paid.map(adjustmentOf));
  return {
    remitted: negate(sum(paid.map(({ payable }) => payable))),
    discounts: sum(paid.map((each) => discountOf(each).amount)),
    adjustments: sum(paid.map((each) => adjustmentOf(each).amount)),
    causes: [
      ...strangers.map((entry) =>
        causeOf(
          { group, line: 'remitted', cause: 'remittance-unmatched' },
          negate(entry.amount),
          `${formatMoney(negate(entry.amount))} was paid on ${entry.date}${textOf(entry)}, and ${asked(open)}`,
          entry,
        ),
      ),
      ...discounts,
      ...adjustments,
    ],
    open,
  };
};

/** Describe the amounts of the open returns. */
const asked = (open: readonly OpenReturn[]): string =>
  open.length === 0
    ? 'no return is open'
    : `the open returns ask for ${open.map(({ key, periods, payable }) => `${formatMoney(payable)} (${key} ${periods.join(', ')})`).join(', ')}`;

/** Match one payment to each return; otherwise, all remaining payments to all open returns if the totals agree. */
const payments = ({ returns, remitted }: SettleGiven) => {
  const open = [...returns].sort((left, right) => (left.due < right.due ? -1 : 1));
  const paid: OpenReturn[] = [];
  const strangers = remitted.filter(({ amount }) => {
    const place = open.findIndex(({ payable }) => payable === negate(amount));
    if (place >= 0) paid.push(...open.splice(place, 1));
    return place < 0;
  });
  const isWhole =
    strangers.length > 0 &&
    open.length > 0 &&
    sum(strangers.map(({ amount }) => amount)) === negate(sum(open.map(({ payable }) => payable)));
  return isWhole ? { paid: [...paid, ...open], open: [], strangers: [] } : { paid, open, strangers };
};

/** A discount or adjustment of a paid return that the ledger should contain. */
type Part = { readonly amount: Money; readonly of: OpenReturn };

const discountOf = (of: OpenReturn): Part => ({ amount: negate(of.discount), of });

const adjustmentOf = (of: OpenReturn): Part => ({
  amount: subtract(add(of.payable, of.discount), of.collected),
  of,
});

const MISSING: Readonly<Record<'discounts' | 'adjustments', readonly [CauseCode, string]>> = {
  discounts: ['discount-not-booked', 'timely-filing discount'],
  adjustments: ['adjustment-not-booked', 'difference between tax collected and tax paid over'],
};

/** Report parts of the paid returns that the ledger has not booked, and entries that match no part. */
const booked = (
  group: string,
  line: 'discounts' | 'adjustments',
  entries: readonly LedgerEntry[],
  parts: readonly Part[],
): readonly LedgerCause[] => {
  const wanted = parts.filter(({ amount }) => amount !== ZERO);
  if (sum(wanted.map(({ amount }) => amount)) === sum(entries.map(({ amount }) => amount))) return [];
  const beside = entries.filter((entry) => {
    const place = wanted.findIndex(({ amount }) => amount === entry.amount);
    if (place >= 0) wanted.splice(place, 1);
    return place < 0;
  });
  const [cause, what] = MISSING[line];
  return [
    ...wanted.map(({ amount, of }) =>
      causeOf(
        { group, line, cause },
        amount,
        `the ${what} of the ${of.key} return for ${of.periods.join(', ')}, ${formatMoney(amount)}, is not in the ledger`,
      ),
    ),
    ...beside.map((entry) =>
      causeOf(
        { group, line, cause: 'unexplained' },
        negate(entry.amount),
        `entry of ${formatMoney(entry.amount)} on ${entry.date}${textOf(entry)}, of which Tieout knows no reason`,
        entry,
      ),
    ),
  ];
};

/** Describe an entry by its type, number and memo. */
export const textOf = ({ type, number, memo }: LedgerEntry): string => {
  const said = [type, number, memo].filter((part) => part !== '').join(' ');
  return said === '' ? '' : ` (${said})`;
};

export const causeOf = (
  of: { readonly group: string; readonly line: BalanceLine; readonly cause: CauseCode },
  amount: Money,
  what: string,
  entry?: LedgerEntry,
): LedgerCause => ({ ...of, amount, what, file: entry?.file ?? '', entry: entry?.line ?? 0 });
