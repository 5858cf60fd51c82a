import { type Finding, finding } from '../judge/finding.ts';
import { TieoutError } from '../kernel/errors.ts';
import { add, formatMoney, isWholeCents, type Money, moneyOfPrice, subtract, ZERO } from '../kernel/money.ts';
import { usRegionCode } from '../kernel/us-regions.ts';
import { dayForms } from '../sales/read-date.ts';
import { moneyReader } from '../sales/row-reader.ts';
import type { SurveyedFile } from '../sales/survey-file.ts';
import { tableHeads } from '../sales/table-heads.ts';
import { isBlankRow, normalColumn, rowByRow } from '../sales/table-row.ts';

/** One account of sales tax payable in one month: `opening + charged - paid = closing`. */
export type MonthBalance = {
  readonly account: string;
  /** The state whose tax it holds; empty if it holds that of all states that no other account names. */
  readonly state: string;
  /** `2026-10`. */
  readonly month: string;
  readonly opening: Money;
  readonly charged: Money;
  readonly paid: Money;
  readonly closing: Money;
  readonly line: number;
};

/** The file of balances: each of its rows is a balance or a problem. */
export type BalanceFile = {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly balances: readonly MonthBalance[];
  readonly problems: readonly Finding[];
};

const COLUMNS = ['account', 'state', 'month', 'opening', 'charged', 'paid', 'closing'] as const;
type Column = (typeof COLUMNS)[number];

/** Trial balances call what was charged credits, and what was paid debits. */
const ALIASES: Readonly<Record<string, Column>> = { credits: 'charged', debits: 'paid' };

/**
 * Read the balances of a file. A row that cannot be used is left out and becomes a problem.
 *
 * @throws {TieoutError} E_LEDGER_COLUMNS when the header is not that of a file of balances, or nothing follows it
 */
export const readBalances = async (file: SurveyedFile): Promise<BalanceFile> => {
  const { head, header, columns } = await findHeader(file);
  const balances: MonthBalance[] = [];
  const problems: Finding[] = [];
  const [firsts, months] = [new Map<string, MonthBalance>(), new Map<string, MonthBalance>()];
  for await (const { cells, line } of rowByRow(head.from(header))) {
    if (line <= header.line || isBlankRow(cells)) continue;
    const { balance, rules } = readRow(cells, columns, line);
    const { account, month, state } = balance;
    const [first, twice] = [firsts.get(account) ?? balance, months.get(`${account} ${month}`)];
    if (twice) rules.push(`the account has a row of ${month} on line ${twice.line}: remove one of them`);
    if (first.state !== state)
      rules.push(`state is "${state}", and "${first.state}" on line ${first.line}: write the same`);
    if (rules.length === 0) {
      firsts.set(account, first);
      months.set(`${account} ${month}`, balance);
      balances.push(balance);
    } else {
      const origin = { file: file.name, line, record: `${account} ${month}`.trim() };
      problems.push(finding('bad-ledger-row', rules.join('; '), { origin }));
    }
  }
  if (balances.length + problems.length === 0) throw unusable(file, 'it has no row below the header');
  return { path: file.name, sha256: file.sha256, bytes: file.bytes, balances, problems };
};

/** Find the way to split the file by which its first row is the header. */
const findHeader = async (file: SurveyedFile) => {
  const heads = (await tableHeads(file)).flatMap((head) => {
    const header = head.rows.find(({ cells }) => !isBlankRow(cells));
    return header
      ? [{ head, header, columns: header.cells.map(normalColumn).map((name) => ALIASES[name] ?? name) }]
      : [];
  });
  if (!heads[0]) throw unusable(file, 'it is empty');
  const found = heads.find(({ columns }) => areColumns(columns.filter((name) => name !== '')));
  if (!found) throw unusable(file, `its first row is "${heads[0].header.cells.join(',').slice(0, 200)}"`);
  return found;
};

const areColumns = (names: readonly string[]): boolean =>
  new Set(names).size === names.length &&
  names.every((name) => COLUMNS.includes(name as Column)) &&
  COLUMNS.every((name) => name === 'state' || names.includes(name));

const unusable = (file: SurveyedFile, why: string): TieoutError =>
  new TieoutError({
    code: 'E_LEDGER_COLUMNS',
    message: `${file.place}: as a file of account balances it cannot be read: ${why}`,
    nextStep: `Its first row names the columns ${COLUMNS.join(', ')} (state may be left out) and no others; docs/returns.md describes them`,
    details: { file: file.place },
  });

/** Read a row, with the rules that it breaks. */
const readRow = (cells: readonly string[], columns: readonly string[], line: number) => {
  const rules: string[] = [];
  const textOf = (column: Column): string => (cells[columns.indexOf(column)] ?? '').trim();
  const stray = cells.find((cell, at) => cell.trim() !== '' && (columns[at] ?? '') === '');
  if (stray !== undefined) rules.push(`"${stray}" is in no column: write an amount with a comma in quotes`);
  const amountOf = (column: 'opening' | 'charged' | 'paid' | 'closing'): Money => {
    const price = readMoney(textOf(column) || '0');
    if (price !== undefined && isWholeCents(price)) return moneyOfPrice(price);
    rules.push(`${column} is "${textOf(column)}": write dollars and cents, such as 1234.50`);
    return ZERO;
  };
  const account = textOf('account').replace(/\s+/g, ' ');
  if (account === '') rules.push('account is blank');
  const state = textOf('state') && usRegionCode(textOf('state'));
  if (state === undefined) rules.push(`state is "${textOf('state')}", which is not a state`);
  const month = readMonth(`1 ${textOf('month')}`)?.slice(0, 7);
  if (month === undefined) rules.push(`month is "${textOf('month')}": write it as 2026-10`);
  const [opening, charged, paid, closing] = [
    ...[amountOf('opening'), amountOf('charged'), amountOf('paid'), amountOf('closing')],
  ] as const;
  const sum = subtract(add(opening, charged), paid);
  if (rules.length === 0 && sum !== closing)
    rules.push(
      `opening plus charged less paid is ${formatMoney(sum)}, and closing is ${formatMoney(closing)}: what is owed is positive`,
    );
  const amounts = { opening, charged, paid, closing };
  return { balance: { account, state: state ?? '', month: month ?? '', ...amounts, line }, rules };
};

const readMoney = moneyReader({ decimal: '.', currencySymbols: ['$'] });

/** Spreadsheets turn `2026-10` into `Oct-26`. */
const readMonth = dayForms(['d yyyy-MM', 'd MMM-yy']);
