import { formatMoney, type Money, negate, sum, ZERO } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { LedgerEntry } from './ledger-file.ts';
import type { BalanceLine, CauseCode, LedgerCause, OpenReturn } from './open-items.ts';
import { type Part, type Settlement, settlementsOf } from './settlements.ts';

/** Remittances, discounts and adjustments of a period for one group, matched with the returns. */
export type SettledReturns = {
  /** Amounts remitted, discounted and adjusted for the returns that the ledger settled. */
  readonly remitted: Money;
  readonly discounts: Money;
  readonly adjustments: Money;
  readonly causes: readonly LedgerCause[];
  /** Returns not settled yet. */
  readonly open: readonly OpenReturn[];
};

export type SettleGiven = {
  readonly group: string;
  readonly period: Pick<FilingPeriod, 'last'>;
  readonly returns: readonly OpenReturn[];
  readonly remitted: readonly LedgerEntry[];
  readonly discounts: readonly LedgerEntry[];
  readonly adjustments: readonly LedgerEntry[];
};

/**
 * Match the payments in a ledger with the open returns, and its discounts and adjustments with those of the returns
 * settled. A settled return clears the tax collected in its periods.
 */
export const settleReturns = (given: SettleGiven): SettledReturns => {
  const { group } = given;
  const { settled, open, strangers } = payments(given);
  const discounts = settled.flatMap((each) => each.discounts);
  const adjustments = settled.flatMap((each) => each.adjustments);
  return {
    remitted: sum(settled.map(({ remitted }) => remitted)),
    discounts: amountOf(discounts),
    adjustments: amountOf(adjustments),
    causes: [
      ...strangers.map((entry) =>
        causeOf(
          { group, line: 'remitted', cause: 'remittance-unmatched' },
          negate(entry.amount),
          `${formatMoney(negate(entry.amount))} was paid on ${entry.date}${textOf(entry)}, and ${asked(open)}`,
          entry,
        ),
      ),
      ...booked({ group, line: 'discounts', cause: 'discount-not-booked' }, given.discounts, discounts),
      ...booked(
        { group, line: 'adjustments', cause: 'adjustment-not-booked' },
        given.adjustments,
        adjustments,
      ),
    ],
    open,
  };
};

/** Describe the amounts of the open returns. */
const asked = (open: readonly OpenReturn[]): string =>
  open.length === 0
    ? 'no return is open'
    : `the open returns ask for ${open.map(({ key, periods, payable }) => `${formatMoney(payable)} (${key} ${periods.join(', ')})`).join(', ')}`;

/**
 * Match the payments with the returns: each return with one payment, then with several in a row; then all remaining
 * payments with all open returns if the totals agree. A return with nothing to pay is settled when it is due.
 */
const payments = ({ returns, remitted, period }: SettleGiven) => {
  const possible = returns
    .toSorted((left, right) => (left.due < right.due ? -1 : 1))
    .flatMap((of) => settlementsOf(of).map((settlement, rank) => ({ settlement, rank })))
    .sort((left, right) => left.rank - right.rank)
    .map(({ settlement }) => settlement);
  const settled: Settlement[] = [];
  const open = new Set(returns);
  const strangers = new Set(remitted);
  const settle = (settlement: Settlement, entries: readonly LedgerEntry[]): void => {
    settled.push(settlement);
    open.delete(settlement.of);
    for (const entry of entries) strangers.delete(entry);
  };
  for (const longest of [1, RUN_MAX])
    for (const settlement of possible) {
      const run = open.has(settlement.of) ? runOf([...strangers], settlement.remitted, longest) : [];
      if (run.length > 0) settle(settlement, run);
    }
  const asFiled = possible.slice(0, returns.length);
  const rest = asFiled.filter(({ of }) => open.has(of));
  if (strangers.size > 0 && amountOf([...strangers]) === sum(rest.map((each) => each.remitted)))
    for (const settlement of rest) settle(settlement, [...strangers]);
  for (const settlement of asFiled)
    if (open.has(settlement.of) && settlement.remitted === ZERO && settlement.of.due <= period.last)
      settle(settlement, []);
  return { settled, open: returns.filter((each) => open.has(each)), strangers: [...strangers] };
};

/** At most this many entries or parts in a row are added up. */
const RUN_MAX = 12;

/** Returns the fewest items in a row that add up to an amount; empty if none do. */
const runOf = <Item extends { readonly amount: Money }>(
  items: readonly Item[],
  amount: Money,
  longest = RUN_MAX,
): readonly Item[] => {
  for (let length = 1; length <= Math.min(longest, items.length); length += 1)
    for (let start = 0; start + length <= items.length; start += 1) {
      const run = items.slice(start, start + length);
      if (amountOf(run) === amount) return run;
    }
  return [];
};

const amountOf = (amounts: readonly { readonly amount: Money }[]): Money =>
  sum(amounts.map(({ amount }) => amount));

/** Report parts of the settled returns that the ledger has not booked, and entries that match no part. */
const booked = (
  at: { readonly group: string; readonly line: 'discounts' | 'adjustments'; readonly cause: CauseCode },
  entries: readonly LedgerEntry[],
  parts: readonly Part[],
): readonly LedgerCause[] => {
  if (amountOf(parts) === amountOf(entries)) return [];
  const [missing, beside] = [new Set(parts), new Set(entries)];
  const pair = (some: readonly Part[], own: readonly LedgerEntry[]): void => {
    if (some.length === 0 || own.length === 0) return;
    for (const part of some) missing.delete(part);
    for (const entry of own) beside.delete(entry);
  };
  for (const part of parts) pair([part], runOf([...beside], part.amount));
  for (const entry of beside) pair(runOf([...missing], entry.amount), [entry]);
  return [
    ...[...missing].map(({ what, amount, of }) =>
      causeOf(
        at,
        amount,
        `"${what}" of the ${of.key} return for ${of.periods.join(', ')}, ${formatMoney(amount)}, is not in the ledger`,
      ),
    ),
    ...[...beside].map((entry) =>
      causeOf(
        { ...at, cause: 'unexplained' },
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
