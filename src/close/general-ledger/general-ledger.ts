import { addDays, type CalendarDate } from '../../kernel/calendar.ts';
import { add, type Money, sum, ZERO } from '../../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../../kernel/period.ts';
import type { TaxAccount } from './accounts.ts';
import type { LedgerEntry, LedgerFile, LedgerProblem } from './ledger-file.ts';
import type { OpenItem, OpenReturn } from './open-items.ts';

/** What an account held when a period began; `null` where no export says it. */
export type AccountOpening = { readonly account: string; readonly amount: Money | null };

/** What the period before left: the balances of both sides, what was not settled, and the returns that were not paid. */
export type LedgerBefore = {
  readonly period: string;
  readonly balances: readonly {
    readonly group: string;
    readonly tieout: Money;
    readonly ledger: Money;
  }[];
  readonly items: readonly OpenItem[];
  readonly returns: readonly OpenReturn[];
};

/** The seller's ledger as far as a period is concerned. */
export type GeneralLedger = {
  readonly accounts: readonly TaxAccount[];
  readonly openings: readonly AccountOpening[];
  /** Entries of the period, and those around it in which something of it may be booked. */
  readonly entries: readonly LedgerEntry[];
  /** `null` where nothing before was rolled forward. */
  readonly before: LedgerBefore | null;
};

/** How far from its own period something may be booked and still be found. */
const DAYS_AROUND = 45;

/** Take from the exports what a period needs. */
export const generalLedger = (
  accounts: readonly TaxAccount[],
  files: readonly LedgerFile[],
  period: FilingPeriod,
  before: LedgerBefore | null,
): GeneralLedger => {
  const [from, to] = [addDays(period.first, -DAYS_AROUND), addDays(period.last, DAYS_AROUND)];
  const entries = files.flatMap((file) => file.entries).filter(({ date }) => from <= date && date <= to);
  return {
    accounts: accounts.map(({ account, state }) => ({ account, ...(state !== undefined && { state }) })),
    openings: accounts.map(({ account }) => ({ account, amount: openingOf(account, files, period.first) })),
    entries: entries.sort(inOrder),
    before,
  };
};

const inOrder = (left: LedgerEntry, right: LedgerEntry): number =>
  compare(left.date, right.date) || compare(left.file, right.file) || left.line - right.line;

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** A file that does not say when it begins may have no entry in the first days of a period. */
const SILENT_DAYS_MAX = 31;

/** The newest balance that a file has on or before a day, moved on by the entries between. */
const openingOf = (account: string, files: readonly LedgerFile[], day: CalendarDate): Money | null => {
  const own = files
    .flatMap(({ balances }) => balances)
    .filter((balance) => balance.account === account)
    .sort((left, right) => compare(left.before, right.before));
  const stated =
    own.findLast(({ before }) => before <= day) ??
    own.find(({ before, isStated }) => !isStated && before <= addDays(day, SILENT_DAYS_MAX));
  if (!stated) return null;
  const since = files
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.account === account && stated.before <= entry.date && entry.date < day);
  return add(stated.amount, sum(since.map(({ amount }) => amount)));
};

/** What is wrong with the exports for a period: rows that cannot be used, accounts and days that are missing. */
export const ledgerProblems = (
  accounts: readonly TaxAccount[],
  files: readonly LedgerFile[],
  period: FilingPeriod,
): readonly LedgerProblem[] => [
  ...files.flatMap(({ problems }) => problems),
  ...accounts.flatMap(({ account }) => missingAccount(account, files)),
  ...missingDays(files, period),
];

const missingAccount = (account: string, files: readonly LedgerFile[]): readonly LedgerProblem[] => {
  const [first] = files;
  const isThere = files.some(({ entries, balances }) =>
    [...entries, ...balances].some((each) => each.account === account),
  );
  if (!first || isThere) return [];
  const others = files.flatMap((file) => file.others);
  const hint = others.length > 0 ? `; it has ${others.map((name) => `"${name}"`).join(', ')}` : '';
  const message = `the ledger has no account "${account}"${hint}`;
  const origin = { file: first.path, line: 0, record: account };
  return [{ code: 'ledger-account', severity: 'warning', origin, message }];
};

/** Where every file says which days it is of, and the period has others. */
const missingDays = (files: readonly LedgerFile[], period: FilingPeriod): readonly LedgerProblem[] => {
  const [first] = files;
  const spans = files.map(({ days }) => days);
  if (!first || spans.includes(null)) return [];
  const missing: CalendarDate[] = [];
  for (let day = period.first; isWithin(period, day); day = addDays(day, 1))
    if (!spans.some((span) => span && span.first <= day && day <= span.last)) missing.push(day);
  if (missing.length === 0) return [];
  const message = `the ledger has no report of ${missing.length} days of the period, from ${missing[0]} to ${missing.at(-1)}`;
  const origin = { file: first.path, line: 0, record: period.label };
  return [{ code: 'ledger-days', severity: 'warning', origin, message }];
};

/** The name of all states that no account names. */
export const OTHER_STATES = 'Other states';

/** Tax of states of which the ledger has no account. */
export const NO_ACCOUNT = 'No account';

/** Which balance a state belongs to. */
export const groupFinder = (accounts: readonly TaxAccount[]): ((state: string) => string) => {
  const own = new Set(accounts.flatMap(({ state }) => state ?? []));
  const rest = accounts.some(({ state }) => state === undefined) ? OTHER_STATES : NO_ACCOUNT;
  return (state) => (own.has(state) ? state : rest);
};

export const groupOfAccount = ({ state }: TaxAccount): string => state ?? OTHER_STATES;

export const openingOfGroup = (ledger: GeneralLedger, group: string): Money | null => {
  const own = ledger.accounts.filter((account) => groupOfAccount(account) === group);
  const amounts = own.map(
    ({ account }) => ledger.openings.find((each) => each.account === account)?.amount ?? null,
  );
  return amounts.includes(null) ? null : sum(amounts.map((amount) => amount ?? ZERO));
};
