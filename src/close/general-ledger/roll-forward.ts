import { add, formatMoney, type Money, subtract, sum, ZERO } from '../../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../../kernel/period.ts';
import { type EntryKind, kindFinder } from './entry-kind.ts';
import {
  type GeneralLedger,
  groupFinder,
  groupOfAccount,
  NO_ACCOUNT,
  openingOfGroup,
} from './general-ledger.ts';
import type { LedgerEntry } from './ledger-file.ts';
import { emptyGroup, type LedgerSales } from './ledger-sales.ts';
import type { BalanceLine, LedgerCause, OpenItem, OpenReturn } from './open-items.ts';
import { causeOf, settleReturns } from './settle-returns.ts';
import { settleSales } from './settle-sales.ts';

/** One side of a balance: `opening + collected + remitted + discounts + adjustments = closing`. */
export type Balance = Readonly<Record<BalanceLine, Money>>;

/** The sales tax payable of a state, or of several states that share an account. */
export type RolledGroup = {
  readonly group: string;
  readonly accounts: readonly string[];
  readonly tieout: Balance;
  readonly ledger: Balance;
  /** Source of Tieout's opening balance: the previous period, the ledger, or neither. */
  readonly opening: 'before' | 'ledger' | 'unknown';
};

export type LedgerRollForward = {
  readonly groups: readonly RolledGroup[];
  readonly causes: readonly LedgerCause[];
  /** Open items carried forward to the next period. */
  readonly items: readonly OpenItem[];
  readonly returns: readonly OpenReturn[];
  /** Labels of the amended versions that the balances have. */
  readonly amended: readonly string[];
};

/** Roll sales tax payable forward over a period, for Tieout and for the ledger, and explain the differences. */
export const ledgerRollForward = (
  ledger: GeneralLedger,
  sales: LedgerSales,
  period: FilingPeriod,
): LedgerRollForward => {
  const { accounts, before, amendedBefore } = ledger;
  const names = new Set([
    ...accounts.map(groupOfAccount),
    ...[...sales.groups].flatMap(([group, { collected }]) => (collected === ZERO ? [] : group)),
    ...(before?.balances.map(({ group }) => group) ?? []),
  ]);
  const rolled = [...names].sort().map((group) => rollGroup(group, ledger, sales, period));
  return {
    groups: rolled.map(({ rolled: own }) => own),
    causes: rolled.flatMap(({ causes }) => causes),
    items: rolled.flatMap(({ items }) => items),
    returns: rolled.flatMap(({ returns }) => returns),
    amended: [...amendedBefore, ...(before?.amended ?? []).map(({ label }) => label)],
  };
};

const rollGroup = (group: string, ledger: GeneralLedger, sales: LedgerSales, period: FilingPeriod) => {
  const { accounts, before, entries } = ledger;
  const own = accounts.filter((account) => groupOfAccount(account) === group).map(({ account }) => account);
  const groupOf = groupFinder(accounts);
  const returns = before?.returns.filter(({ state }) => groupOf(state) === group) ?? [];
  const amended = (before?.amended ?? []).map(({ label, last: day, collected: more }) => ({
    ...{ label, day, group, record: '' },
    amount: sum(more.filter(({ state }) => groupOf(state) === group).map(({ amount }) => amount)),
  }));
  const kinds = Map.groupBy(
    entries.filter(({ account }) => own.includes(account)),
    kindFinder(ledger),
  );
  const of = (kind: EntryKind): readonly LedgerEntry[] =>
    (kinds.get(kind) ?? []).filter(({ date }) => isWithin(period, date));
  const last = before?.balances.find((balance) => balance.group === group);
  const opened = openingOfGroup(ledger, group) ?? last?.ledger ?? null;
  // The ledger may have booked what came late with its own day, in the month that was closed already.
  const isBooked = last !== undefined && subtract(opened ?? ZERO, last.ledger) === amountOf(amended);
  const items = [
    ...(before?.items.filter((item) => item.group === group) ?? []),
    ...(isBooked ? [] : amended.filter(({ amount }) => amount !== ZERO)),
  ];
  const moved = {
    collected: amountOf(of('collected')),
    remitted: amountOf(of('remitted')),
    discounts: amountOf(of('discounts')),
    adjustments: amountOf(of('adjustments')),
  };
  const books = balanceOf({ opening: opened ?? ZERO, ...moved });
  const settled = settleReturns({
    ...{ group, period, returns: group === NO_ACCOUNT ? [] : returns, remitted: of('remitted') },
    ...{ discounts: of('discounts'), adjustments: of('adjustments') },
  });
  const bySales = settleSales({ group, period, sales, items, entries: kinds.get('collected') ?? [] });
  const collected = (sales.groups.get(group) ?? emptyGroup()).collected;
  // The first period has no record of earlier returns: its remittances, discounts and adjustments come from the ledger.
  const tieout = last
    ? balanceOf({ ...settled, opening: add(last.tieout, amountOf(amended)), collected })
    : balanceOf({ ...books, collected });
  const shown = [
    ...(last ? openingCauses(group, last, books.opening) : []),
    ...(last ? amended.flatMap(amendedCause) : []),
    ...(group === NO_ACCOUNT ? noAccount(collected) : bySales.causes),
    ...(last ? settled.causes : []),
  ];
  const opening = last ? 'before' : opened === null ? 'unknown' : 'ledger';
  return {
    rolled: { group, accounts: own, tieout, ledger: books, opening } satisfies RolledGroup,
    causes: [...shown, ...restOf(group, tieout, books, shown)],
    items: bySales.open,
    // No account shows a payment of the states without one. Until a return of them is due, they may get an account.
    returns: group === NO_ACCOUNT ? returns.filter(({ due }) => due > period.last) : settled.open,
  };
};

const balanceOf = (parts: Omit<Balance, 'closing'>): Balance => {
  const { opening, collected, remitted, discounts, adjustments } = parts;
  const closing = sum([opening, collected, remitted, discounts, adjustments]);
  return { opening, collected, remitted, discounts, adjustments, closing };
};

const amountOf = (amounts: readonly { readonly amount: Money }[]): Money =>
  sum(amounts.map(({ amount }) => amount));

const amendedCause = ({
  group,
  label,
  amount,
}: OpenItem & { readonly label: string }): readonly LedgerCause[] =>
  amount === ZERO
    ? []
    : [
        causeOf(
          { group, line: 'opening', cause: 'amended' },
          amount,
          `tax collected of ${label}, which was filed after its month was rolled forward`,
        ),
      ];

/**
 * Carry the previous month's difference forward. Anything beyond it means that the ledger changed in a closed period.
 */
const openingCauses = (
  group: string,
  last: { readonly tieout: Money; readonly ledger: Money },
  opening: Money,
): readonly LedgerCause[] => {
  const at = { group, line: 'opening' } as const;
  const carried = subtract(last.tieout, last.ledger);
  const changed = subtract(last.ledger, opening);
  return [
    ...(carried === ZERO
      ? []
      : [
          causeOf(
            { ...at, cause: 'carried' },
            carried,
            'what the closing balances of the month before differed by',
          ),
        ]),
    ...(changed === ZERO
      ? []
      : [
          causeOf(
            { ...at, cause: 'changed-since' },
            changed,
            `the ledger closed the month before with ${formatMoney(last.ledger)} and begins this one with ${formatMoney(opening)}`,
          ),
        ]),
  ];
};

const noAccount = (collected: Money): readonly LedgerCause[] =>
  collected === ZERO
    ? []
    : [
        causeOf(
          { group: NO_ACCOUNT, line: 'collected', cause: 'no-account' },
          collected,
          'tax of states of which `books.accounts` names no account',
        ),
      ];

const MOVED = ['opening', 'collected', 'remitted', 'discounts', 'adjustments'] as const;

/** The unexplained rest of each line. */
const restOf = (
  group: string,
  tieout: Balance,
  ledger: Balance,
  causes: readonly LedgerCause[],
): readonly LedgerCause[] =>
  MOVED.flatMap((line) => {
    const known = causes.filter((cause) => cause.line === line).map(({ amount }) => amount);
    const rest = subtract(subtract(tieout[line], ledger[line]), sum(known));
    if (rest === ZERO) return [];
    return [
      causeOf({ group, line, cause: 'unexplained' }, rest, 'no entry or sale shows where it comes from'),
    ];
  });

/** The total difference of a group that no cause explains. */
export const unexplainedOf = ({ causes }: LedgerRollForward, group: string): Money =>
  causes
    .filter((cause) => cause.group === group && cause.cause === 'unexplained')
    .reduce((total, { amount }) => add(total, amount), ZERO);
