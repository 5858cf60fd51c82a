import { type CalendarDate, calendarDate } from '../../kernel/calendar.ts';
import { type Money, negate, subtract, ZERO } from '../../kernel/money.ts';
import { isWholeCents, moneyOfPrice } from '../../kernel/price.ts';
import { normalColumn } from '../sales/files/normal-column.ts';
import { dateForm } from '../sales/normal/date-form.ts';
import { moneyReader } from '../sales/normal/read-money.ts';

/** Columns of a ledger export, each with its possible header texts, preferred first. */
const COLUMNS = {
  date: ['date', 'transaction date', 'posting date'],
  type: ['type', 'transaction type', 'source'],
  number: ['num', 'no.', 'document number', 'reference', 'number'],
  name: ['name', 'customer/project', 'customer', 'entity'],
  memo: ['memo/description', 'description', 'memo'],
  account: ['distribution account', 'account', 'account full name'],
  split: ['split', 'split account', 'account name'],
  amount: ['amount'],
  debit: ['debit', 'amount (debit)'],
  credit: ['credit', 'amount (credit)'],
  balance: ['balance', 'running balance'],
  source: ['source'],
  reference: ['reference'],
  cleared: ['cleared'],
  tax: ['tax amount', 'taxable amount', 'taxable', 'tax collected'],
} as const;
type LedgerColumn = keyof typeof COLUMNS;

type ColumnPlaces = Readonly<Record<LedgerColumn, number>>;

/** A known report of an accounting program. */
type Layout = {
  readonly name: string;
  /** Columns required to recognise it. */
  readonly needs: readonly LedgerColumn[];
  /** Whether it has one amount column with the sign of a liability, or separate debits and credits. */
  readonly amounts: 'liability' | 'debit-credit';
  /** Why it is rejected, if it is. */
  readonly refused?: string;
};

/** Known reports, those with more columns first: a file is matched to the first report whose columns it has. */
const LAYOUTS: readonly Layout[] = [
  {
    name: 'quickbooks-desktop.general-ledger',
    needs: ['type', 'date', 'number', 'memo', 'split', 'debit', 'credit', 'balance'],
    amounts: 'debit-credit',
  },
  {
    name: 'quickbooks.quick-report',
    needs: ['account', 'date', 'type', 'number', 'split', 'cleared', 'amount', 'balance'],
    amounts: 'liability',
  },
  {
    name: 'quickbooks.general-ledger',
    needs: ['date', 'type', 'number', 'memo', 'split', 'amount', 'balance'],
    amounts: 'liability',
  },
  {
    name: 'xero.account-transactions',
    needs: ['date', 'source', 'memo', 'reference', 'debit', 'credit', 'balance'],
    amounts: 'debit-credit',
  },
  {
    name: 'quickbooks.transaction-detail',
    needs: ['date', 'type', 'number', 'memo', 'account', 'split', 'amount'],
    amounts: 'liability',
  },
  {
    name: 'netsuite.transactions',
    needs: ['date', 'type', 'number', 'account', 'memo', 'debit', 'credit'],
    amounts: 'debit-credit',
  },
  {
    name: 'sales-tax-report',
    needs: ['tax'],
    amounts: 'liability',
    refused: 'it is a report of sales tax, and has no entries of an account',
  },
  {
    name: 'ledger.rows',
    needs: ['date', 'account', 'memo', 'debit', 'credit'],
    amounts: 'debit-credit',
  },
  {
    name: 'ledger.rows',
    needs: ['date', 'account', 'memo', 'amount'],
    amounts: 'liability',
  },
  {
    name: 'trial-balance',
    needs: ['debit', 'credit'],
    amounts: 'debit-credit',
    refused: 'it is a trial balance, and has no dated entries',
  },
];

/** A recognised header: its report, and the positions of its columns. */
export type Header = { readonly layout: Layout; readonly places: ColumnPlaces };

/** Interpret a row as the header of a ledger export; `undefined` if it is not one. */
export const headerOf = (cells: readonly string[]): Header | undefined => {
  const names = cells.map(normalColumn);
  const placeOf = (words: readonly string[]): number =>
    words.map((word) => names.indexOf(word)).find((place) => place >= 0) ?? -1;
  const entries = Object.entries(COLUMNS).map(([column, words]) => [column, placeOf(words)] as const);
  const places = Object.fromEntries(entries) as ColumnPlaces;
  const layout = LAYOUTS.find(({ needs }) => needs.every((column) => places[column] >= 0));
  return layout && { layout, places };
};

/** Date formats of ledgers. Dates with slashes are month, day, year. */
const DAYS = ['yyyy-MM-dd', 'M/d/yyyy', 'M/d/yy', 'd MMM yyyy', 'd MMMM yyyy', 'yyyy-MM-dd HH:mm(:ss)'].map(
  dateForm,
);

export const readDay = (text: string): CalendarDate | undefined => {
  for (const form of DAYS) {
    const parts = form(text);
    if (parts) return calendarDate(parts.date);
  }
  return undefined;
};

const readPrice = moneyReader({
  decimal: '.',
  group: ',',
  negative: ['minus', 'parentheses', 'typographic-minus'],
  currencySymbols: ['$', 'USD'],
});

/** Parse an amount. `$(250.00)` means `($250.00)`. */
const readMoney = (text: string): Money | undefined => {
  const price = readPrice(text.replace(/^\$\s*\((.*)\)$/, '($1)'));
  return price !== undefined && isWholeCents(price) ? moneyOfPrice(price) : undefined;
};

/** Returns the text of a row in a known column. */
export type Cells = (column: LedgerColumn) => string;

export const cellsOf =
  ({ places }: Header, cells: readonly string[]): Cells =>
  (column) =>
    (cells[places[column]] ?? '').trim();

/** An amount with the sign of a liability, or the problem with it; `undefined` if the row has none. */
type ReadAmount = { readonly amount: Money } | { readonly problem: string } | undefined;

export const readAmount = ({ layout }: Header, cells: Cells): ReadAmount => {
  if (layout.amounts === 'liability') return named('Amount', cells('amount'));
  const [debit, credit] = [named('Debit', cells('debit')), named('Credit', cells('credit'))];
  if (debit && 'problem' in debit) return debit;
  if (credit && 'problem' in credit) return credit;
  return debit || credit ? { amount: subtract(credit?.amount ?? ZERO, debit?.amount ?? ZERO) } : undefined;
};

/**
 * Read a balance from the amount columns, or else from the balance column. In reports with debit and credit columns,
 * debit balances are positive there, so the sign is reversed.
 */
export const readBalance = (header: Header, cells: Cells): ReadAmount => {
  const own = readAmount(header, cells);
  if (own) return own;
  const balance = named('Balance', cells('balance'));
  if (!balance || 'problem' in balance || header.layout.amounts === 'liability') return balance;
  return { amount: negate(balance.amount) };
};

const named = (title: string, text: string): ReadAmount => {
  if (text === '') return undefined;
  const amount = readMoney(text);
  return amount === undefined
    ? { problem: `${title} "${text}" is not an amount of dollars and cents` }
    : { amount };
};
