import { addDays, type CalendarDate } from '../../kernel/calendar.ts';
import { add, type Money, sum, ZERO } from '../../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../../kernel/period.ts';
import type { TaxAccount } from './accounts.ts';
import type { LedgerBalance, LedgerEntry, LedgerFile, LedgerProblem } from './ledger-file.ts';
import type { AmendedVersion, OpenItem, OpenReturn } from './open-items.ts';

/** Opening balance of an account for the period; `null` if no export gives it. */
export type AccountOpening = { readonly account: string; readonly amount: Money | null };

/** Carry-forward from the previous period: both closing balances, unsettled items, and unpaid returns. */
export type LedgerBefore = {
  readonly period: string;
  readonly balances: readonly {
    readonly group: string;
    readonly tieout: Money;
    readonly ledger: Money;
  }[];
  readonly items: readonly OpenItem[];
  readonly returns: readonly OpenReturn[];
  /** Amended versions that the balances do not have yet. */
  readonly amended: readonly AmendedVersion[];
};

/** The part of the seller's ledger that concerns one period. */
export type GeneralLedger = {
  readonly accounts: readonly TaxAccount[];
  readonly openings: readonly AccountOpening[];
  /** Entries of the period, and of the days around it, which may book its sales. */
  readonly entries: readonly LedgerEntry[];
  /** `null` if no earlier period was rolled forward. */
  readonly before: LedgerBefore | null;
  /** The labels of the amended versions that the opening balances have. */
  readonly amendedBefore: readonly string[];
};

/** How many days before or after its period an entry can be and still be matched. */
const DAYS_AROUND = 45;

/** Select the accounts, opening balances and entries for a period from the exports. */
export const generalLedger = (
  accounts: readonly TaxAccount[],
  files: readonly LedgerFile[],
  period: FilingPeriod,
  before: LedgerBefore | null,
  amendedBefore: readonly string[],
): GeneralLedger => {
  const [from, to] = [addDays(period.first, -DAYS_AROUND), addDays(period.last, DAYS_AROUND)];
  const entries = files.flatMap((file) => file.entries).filter(({ date }) => from <= date && date <= to);
  return {
    accounts: accounts.map(({ account, state }) => ({ account, ...(state !== undefined && { state }) })),
    openings: accounts.map(({ account }) => ({ account, amount: openingOf(account, files, period.first) })),
    entries: entries.sort(inOrder),
    before,
    amendedBefore,
  };
};

const inOrder = (left: LedgerEntry, right: LedgerEntry): number =>
  compare(left.date, right.date) || compare(left.file, right.file) || left.line - right.line;

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/**
 * A file without a stated start may have no entry in the first days of a period; its opening balance is accepted if its
 * first entry is within this many days.
 */
const SILENT_DAYS_MAX = 31;

/**
 * The latest known balance on or before a day, plus the entries since. The reports that leave an account out say
 * something only where none has its balance: a report may be of one account.
 */
const openingOf = (account: string, files: readonly LedgerFile[], day: CalendarDate): Money | null => {
  const isOwn = (each: { readonly account: string }): boolean => each.account === account;
  const own = files.flatMap(({ balances }) => balances).filter(isOwn);
  const entries = files.flatMap((file) => file.entries).filter(isOwn);
  const stated =
    latestOf(own, day) ??
    latestOf(
      files.flatMap((file) => nothingOf(account, file, entries)),
      day,
    );
  if (!stated) return null;
  const since = entries.filter(({ date }) => stated.before <= date && date < day);
  return add(stated.amount, sum(since.map(({ amount }) => amount)));
};

const latestOf = (balances: readonly LedgerBalance[], day: CalendarDate): LedgerBalance | undefined => {
  const inTime = balances.toSorted((left, right) => compare(left.before, right.before));
  return (
    inTime.findLast(({ before }) => before <= day) ??
    inTime.find(({ before, isStated }) => !isStated && before <= addDays(day, SILENT_DAYS_MAX))
  );
};

/**
 * A report with balances leaves out an account that has neither a balance nor entries: such an account begins with
 * nothing, as the report does with the balances of others. Balances with days of their own are rows that a person wrote.
 * Where another file has entries of the account until the end of the report, the report is of other accounts.
 */
const nothingOf = (
  account: string,
  { days, entries, balances }: LedgerFile,
  own: readonly LedgerEntry[],
): readonly LedgerBalance[] => {
  const other = balances.find(({ isStated }) => days !== null || !isStated);
  if (!other || balances.some((balance) => balance.account === account)) return [];
  const until = days?.last ?? entries.map(({ date }) => date).reduce(laterOf, other.before);
  return own.some(({ date }) => date <= until) ? [] : [{ ...other, account, amount: ZERO }];
};

const laterOf = (one: CalendarDate, other: CalendarDate): CalendarDate => (one < other ? other : one);

/** List problems of the exports for a period: unusable rows, missing accounts and missing days. */
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

/** Report days of the period that no file covers, provided every file states its days. */
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

/** Name of the group of all states without an account of their own. */
export const OTHER_STATES = 'Other states';

/** Name of the group for states without any account in the ledger. */
export const NO_ACCOUNT = 'No account';

/** Return a function that finds the group of a state. */
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
