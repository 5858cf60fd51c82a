import { type Finding, finding } from '../judge/finding.ts';
import { TieoutError } from '../kernel/errors.ts';
import { add, formatMoney, isWholeCents, type Money, moneyOfPrice, subtract, ZERO } from '../kernel/money.ts';
import { usRegionCode } from '../kernel/us-regions.ts';
import type { SurveyedFile } from '../sales/file-source.ts';
import { dayForms } from '../sales/read-date.ts';
import { moneyReader } from '../sales/row-reader.ts';
import { type TitledRow, titledRows } from '../sales/table-heads.ts';

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
