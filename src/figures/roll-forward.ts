import { type Finding, finding, isOpen } from '../judge/finding.ts';
import { isMaterial, type Materiality } from '../judge/period-totals.ts';
import { TieoutError } from '../kernel/errors.ts';
import {
  absolute,
  add,
  formatMoney,
  isWholeCents,
  type Money,
  moneyOfPrice,
  negate,
  subtract,
  sum,
  ZERO,
} from '../kernel/money.ts';
import { type FilingPeriod, monthsOf } from '../kernel/period.ts';
import { usRegionCode } from '../kernel/us-regions.ts';
import { dayForms } from '../sales/read-date.ts';
import { moneyReader } from '../sales/row-reader.ts';
import type { SurveyedFile } from '../sales/survey-file.ts';
import { type TitledRow, titledRows } from '../sales/table-heads.ts';

/** A return that was due in a period: its payment, and the tax that it takes out of the account. */
export type PaidReturn = Pick<AccountBalance, 'state' | 'paid'> & {
  readonly key: string;
  readonly period: string;
  readonly collected: Money;
};

/** What the roll-forward of a period is computed from, besides its sales. */
export type PeriodLedger = {
  readonly file: string;
  readonly accounts: readonly AccountBalance[];
  /** `null` if the period before was not closed here: then only the accounts show what was paid. */
  readonly returns: readonly PaidReturn[] | null;
};

/** What a roll-forward needs of the report of a period. */
type Rolled = {
  readonly ledger?: PeriodLedger;
  readonly states: readonly {
    readonly state: string;
    readonly collected: Money;
  }[];
  readonly period: Pick<FilingPeriod, 'label'>;
};

/** As the books show it, with a sign, so that it does not depend on colour. */
export type RolledStatus = '✓ AGREES' | '● OPEN' | '✓ DECIDED' | '○ NOT MATERIAL' | '✕ MONTH MISSING';

/** Sales tax payable of a state, or of all that share an account, as calculated and as the accounts have it. */
export type RolledBalance = ReturnType<typeof balanceOf>;
export type RolledRow = RolledBalance & {
  readonly status: RolledStatus;
  readonly why: string;
};

const OTHER_STATES = 'Other states';

/** Roll sales tax payable forward. A state that no account names goes with the account that names none, if there is one. */
const rollForward = ({ ledger, states }: Rolled): readonly RolledBalance[] => {
  if (!ledger) return [];
  const named = new Set(ledger.accounts.map(({ state }) => state));
  const groupOf = ({ state }: { readonly state: string }): string =>
    state === '' || (named.has('') && !named.has(state)) ? OTHER_STATES : state;
  const taxed = states.filter(({ collected }) => collected !== ZERO);
  const groups = [...new Set([...ledger.accounts, ...taxed].map(groupOf))].sort();
  return groups.map((group) => {
    const isOwn = (each: { readonly state: string }): boolean => groupOf(each) === group;
    const returns = ledger.returns?.filter(isOwn) ?? null;
    return balanceOf(group, ledger.accounts.filter(isOwn), taxed.filter(isOwn), returns);
  });
};

const balanceOf = (
  group: string,
  accounts: readonly AccountBalance[],
  taxed: Rolled['states'],
  returns: PeriodLedger['returns'],
) => {
  // Nothing shows whether tax without an account was paid.
  const settled = accounts.length === 0 ? [] : returns;
  const opening = sum(accounts.map((account) => account.opening));
  const collected = sum(taxed.map((state) => state.collected));
  const paid = sum((settled ?? accounts).map((each) => each.paid));
  // What the returns paid beyond the tax collected or, if negative, kept of it.
  const adjustments = settled ? subtract(paid, sum(settled.map((each) => each.collected))) : ZERO;
  const calculated = sum([opening, collected, negate(paid), adjustments]);
  const isWhole = accounts.every((account) => account.isWhole);
  const closing = isWhole ? sum(accounts.map((account) => account.closing)) : undefined;
  return {
    group,
    opening,
    collected,
    paid,
    adjustments,
    calculated,
    closing,
    difference: closing === undefined ? undefined : subtract(calculated, closing),
    accounts: accounts.map(({ account }) => account),
    settled: (settled ?? []).map(({ key, period }) => `${key} ${period}`),
  };
};

/** A difference is decided for its period. */
const recordOf = ({ group }: RolledBalance, { period }: Rolled): string => `${group} ${period.label}`;

/** Every difference; it is open if it is material. */
export const differencesOf = (rolled: Rolled, materiality: Materiality): readonly Finding[] =>
  rollForward(rolled)
    .map((balance) => ({ balance, difference: balance.difference ?? ZERO }))
    .filter(({ difference }) => difference !== ZERO)
    .map(({ balance, difference }) =>
      finding('ledger-difference', messageOf(balance, difference), {
        severity: isMaterial(difference, balance.collected, materiality) ? 'error' : 'warning',
        origin: { file: rolled.ledger?.file ?? '', line: 0, record: recordOf(balance, rolled) },
        state: balance.group === OTHER_STATES ? '' : balance.group,
        effect: difference,
        tax: absolute(difference),
      }),
    );

const messageOf = ({ group, accounts, calculated, closing = ZERO }: RolledBalance, difference: Money) =>
  accounts.length === 0
    ? `no account of the file holds the tax of ${group}, of which ${formatMoney(calculated)} was collected`
    : `sales tax payable (${group}) comes to ${formatMoney(calculated)}, and the balance of ${accounts.join(' and ')} is ${formatMoney(closing)}: ${formatMoney(absolute(difference))} ${difference < 0 ? 'more' : 'less'}`;

/** The roll-forward of a report with what became of each difference; without balances of the seller it has no rows. */
export const rolledRows = (
  report: Rolled & { readonly exceptions: readonly Finding[] },
): readonly RolledRow[] =>
  rollForward(report).map((balance) => {
    const found = report.exceptions.filter(({ code }) => code === 'ledger-difference');
    const own = found.find(({ origin }) => origin.record === recordOf(balance, report));
    return { ...balance, status: statusOf(balance, own), why: own?.accepted ?? '' };
  });

const statusOf = ({ difference }: RolledBalance, found: Finding | undefined): RolledStatus => {
  if (difference === undefined) return '✕ MONTH MISSING';
  if (!found) return '✓ AGREES';
  if (found.accepted !== '') return '✓ DECIDED';
  return isOpen(found) ? '● OPEN' : '○ NOT MATERIAL';
};

/** An account of sales tax payable over a period. */
export type AccountBalance = Pick<MonthBalance, 'account' | 'state' | 'opening' | 'paid' | 'closing'> & {
  /** Whether the file has all months of the period. */
  readonly isWhole: boolean;
};

/** The accounts as the books of the period before have them. */
type Before = { readonly accounts: readonly AccountBalance[] };

/** Select the accounts for a period: each must have every month of it, and each month must continue the one before. */
export const periodAccounts = ({ path, balances }: BalanceFile, period: FilingPeriod, before?: Before) => {
  const problems: Finding[] = [];
  const months = monthsOf(period).map(({ label }) => label);
  const booked = new Map(before?.accounts.map((each) => [each.account, each]));
  const held = [...booked.values()].filter(({ closing }) => closing !== ZERO);
  const states = new Map([...held, ...balances].map(({ account, state }) => [account, state]));
  const accounts = [...states].map(([account, state]): AccountBalance => {
    const note = (code: 'ledger-gap' | 'ledger-opening', line: number, what: string): void => {
      const origin = { file: path, line, record: `${account} ${period.label}` };
      problems.push(finding(code, `${account}: ${what}`, { origin, state }));
    };
    const rows = balances.filter((each) => each.account === account);
    const own = months.flatMap((month) => rows.find((each) => each.month === month) ?? []);
    const missing = months.find((month) => !own.some((each) => each.month === month));
    if (missing !== undefined)
      note('ledger-gap', 0, `no row for ${missing} that can be used, and each month needs one`);
    const left = booked.get(account);
    let earlier = left?.isWhole ? left.closing : undefined;
    for (const { month, opening, closing, line } of own) {
      if (earlier !== undefined && earlier !== opening)
        note(
          'ledger-opening',
          line,
          `${month} opens with ${formatMoney(opening)}, and the month before closes with ${formatMoney(earlier)}`,
        );
      earlier = closing;
    }
    return {
      account,
      state,
      opening: own[0]?.opening ?? ZERO,
      paid: sum(own.map(({ paid }) => paid)),
      closing: own.at(-1)?.closing ?? ZERO,
      isWhole: missing === undefined,
    };
  });
  return { accounts, problems };
};

/** One account of sales tax payable in one month: `opening + charged - paid = closing`. */
export type MonthBalance = ReturnType<typeof readRow>['balance'];

/** The file of balances: each of its rows is a balance or a problem. */
export type BalanceFile = Awaited<ReturnType<typeof readBalances>>;

/** The columns with the titles that mean each: trial balances call what was charged credits, and what was paid debits. */
const COLUMNS = {
  account: ['account'],
  state: ['state'],
  month: ['month'],
  opening: ['opening'],
  charged: ['charged', 'credits'],
  paid: ['paid', 'debits'],
  closing: ['closing'],
} as const;
type Column = keyof typeof COLUMNS;
const NEEDED: readonly Column[] = ['account', 'month', 'opening', 'charged', 'paid', 'closing'];

/**
 * Read the balances of a file. A row that cannot be used is left out and becomes a problem.
 *
 * @throws {TieoutError} E_LEDGER_COLUMNS when the header is not that of a file of balances, or nothing follows it
 */
export const readBalances = async (file: SurveyedFile) => {
  const rows = (await titledRows(file, COLUMNS, NEEDED)) ?? [];
  if (rows.length === 0) throw unusable(file);
  const balances: MonthBalance[] = [];
  const problems: Finding[] = [];
  for (const row of rows) {
    const { balance, rules } = readRow(row);
    const { account, month, state, line } = balance;
    const own = balances.filter((each) => each.account === account);
    const twice = own.find((each) => each.month === month);
    if (twice) rules.push(`the account has a row of ${month} on line ${twice.line}: remove one of them`);
    const [first = balance] = own;
    if (first.state !== state)
      rules.push(`state is "${state}", and "${first.state}" on line ${first.line}: write the same`);
    if (rules.length === 0) balances.push(balance);
    else {
      const origin = { file: file.name, line, record: `${account} ${month}`.trim() };
      problems.push(finding('bad-ledger-row', rules.join('; '), { origin }));
    }
  }
  return { path: file.name, sha256: file.sha256, bytes: file.bytes, balances, problems };
};

const unusable = (file: SurveyedFile): TieoutError =>
  new TieoutError({
    code: 'E_LEDGER_COLUMNS',
    message: `${file.place}: this is not a file of account balances with rows below its columns`,
    nextStep: `Its first row names the columns ${Object.keys(COLUMNS).join(', ')}, each once (state may be left out); docs/returns.md describes them`,
    details: { file: file.place },
  });

/** Read a row, with the rules that it breaks. */
const readRow = (row: TitledRow<Column>) => {
  const rules: string[] = [];
  if (row.surplus !== '')
    rules.push(`"${row.surplus}" is in no column: write an amount with a comma in quotes`);
  const amountOf = (column: 'opening' | 'charged' | 'paid' | 'closing'): Money => {
    const price = readMoney(row[column] || '0');
    if (price !== undefined && isWholeCents(price)) return moneyOfPrice(price);
    rules.push(`${column} is "${row[column]}": write dollars and cents, such as 1234.50`);
    return ZERO;
  };
  const account = row.account.replace(/\s+/g, ' ');
  if (account === '') rules.push('account is blank');
  const state = row.state && usRegionCode(row.state);
  if (state === undefined) rules.push(`state is "${row.state}", which is not a state`);
  const month = readMonth(`1 ${row.month}`)?.slice(0, 7);
  if (month === undefined) rules.push(`month is "${row.month}": write it as 2026-10`);
  const opening = amountOf('opening');
  const charged = amountOf('charged');
  const paid = amountOf('paid');
  const closing = amountOf('closing');
  const sum = subtract(add(opening, charged), paid);
  if (rules.length === 0 && sum !== closing)
    rules.push(
      `opening plus charged less paid is ${formatMoney(sum)}, and closing is ${formatMoney(closing)}: what is owed is positive`,
    );
  const amounts = { opening, charged, paid, closing };
  /** The state is empty if the account holds the tax of all states that no other account names. */
  const balance = { account, state: state ?? '', month: month ?? '', ...amounts, line: row.line };
  return { balance, rules };
};

const readMoney = moneyReader({ decimal: '.', currencySymbols: ['$'] });

/** Spreadsheets turn `2026-10` into `Oct-26`. */
const readMonth = dayForms(['d yyyy-MM', 'd MMM-yy']);
