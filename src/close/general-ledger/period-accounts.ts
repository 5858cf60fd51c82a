import { addDays, calendarDate } from '../../kernel/calendar.ts';
import { formatMoney, sum, ZERO } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { DraftException } from '../reconcile/exceptions.ts';
import type { BalanceFile, MonthBalance } from './read-balances.ts';

/** An account of sales tax payable over a period. */
export type AccountBalance = Pick<MonthBalance, 'account' | 'state' | 'opening' | 'paid' | 'closing'> & {
  /** Whether the file has all of its months up to the end of the period. */
  readonly isWhole: boolean;
};

/** The accounts as the books of the period before have them. */
type Before = { readonly label: string; readonly accounts: readonly AccountBalance[] };

/** Select the accounts for a period. Each must have every month up to its end, and each month must continue the last. */
export const periodAccounts = ({ path, balances }: BalanceFile, period: FilingPeriod, before?: Before) => {
  const problems: DraftException[] = [];
  const [start, end] = [period.first.slice(0, 7), period.last.slice(0, 7)];
  const rowsOf = Map.groupBy(balances, ({ account }) => account);
  const booked = new Map(before?.accounts.map((each) => [each.account, each]));
  const held = [...booked.values()].filter(({ closing }) => closing !== ZERO);
  const states = new Map([...held, ...balances].map(({ account, state }) => [account, state]));
  const accounts = [...states].map(([account, state]): AccountBalance => {
    const note: Note = (code, line, what) => {
      const origin = { file: path, line, record: `${account} ${period.label}` };
      const message = `${account}: ${what}`;
      problems.push({ severity: 'error', code, origin, message, state, effect: ZERO });
    };
    const months = (rowsOf.get(account) ?? []).toSorted((left, right) => (left.month < right.month ? -1 : 1));
    const isWhole = isContinued(months, start, end, note);
    const own = months.filter(({ month }) => start <= month && month <= end);
    const [opening, closing] = [own[0]?.opening ?? ZERO, own.at(-1)?.closing ?? ZERO];
    const left = booked.get(account);
    const stated = months.findLast(({ month }) => month < start)?.closing ?? opening;
    if (left?.isWhole && isWhole && left.closing !== stated)
      note(
        'ledger-opening',
        0,
        `the books of ${before?.label} close with ${formatMoney(left.closing)}, and the file has ${formatMoney(stated)} for that day`,
      );
    return { account, state, opening, paid: sum(own.map(({ paid }) => paid)), closing, isWhole };
  });
  return { accounts, problems };
};

type Note = (code: 'ledger-gap' | 'ledger-opening', line: number, what: string) => void;

/** Check the months of an account up to the end of a period. An account may begin with a month that opens with nothing. */
const isContinued = (months: readonly MonthBalance[], start: string, end: string, note: Note): boolean => {
  const [first] = months;
  let expected = first && (first.month < start || first.opening === ZERO) ? first.month : start;
  let earlier = first;
  let isWhole = true;
  const gap = (line: number): void => {
    isWhole = false;
    note('ledger-gap', line, `no row for ${expected} that can be used, and each month needs one`);
  };
  for (const row of months.filter(({ month }) => month <= end)) {
    if (row.month !== expected) gap(row.line);
    else if (earlier && earlier !== row && earlier.closing !== row.opening)
      note(
        'ledger-opening',
        row.line,
        `${row.month} opens with ${formatMoney(row.opening)}, and the month before closes with ${formatMoney(earlier.closing)}`,
      );
    earlier = row;
    expected = addDays(calendarDate(`${row.month}-28`), 4).slice(0, 7);
  }
  if (expected <= end) gap(0);
  return isWhole;
};
