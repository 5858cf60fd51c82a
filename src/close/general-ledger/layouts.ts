import { type CalendarDate, calendarDate } from '../../kernel/calendar.ts';
import { type Money, negate, subtract, ZERO } from '../../kernel/money.ts';
import { isWholeCents, moneyOfPrice } from '../../kernel/price.ts';
import { normalColumn } from '../sales/files/normal-column.ts';
import { dateForm } from '../sales/normal/date-form.ts';
import { moneyReader } from '../sales/normal/read-money.ts';

/** What a column of a ledger export means, with the words of its header; the first that is there counts. */
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

/** A report that accounting programs export. */
type Layout = {
  readonly name: string;
  /** Columns that it has, by their meaning. */
  readonly needs: readonly LedgerColumn[];
  /** Whether one column has amounts with the sign of a liability, or two have debits and credits. */
  readonly amounts: 'liability' | 'debit-credit';
  /** Why it is refused, where it is. */
  readonly refused?: string;
};

/** The reports that are known, those with more columns first: a file is of the first whose columns it has. */
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

/** What is known of a header: the report that it belongs to, and where its columns are. */
export type Header = { readonly layout: Layout; readonly places: ColumnPlaces };

/** Take a row for the header of a ledger export; `undefined` when it is none. */
export const headerOf = (cells: readonly string[]): Header | undefined => {
  const names = cells.map(normalColumn);
  const placeOf = (words: readonly string[]): number =>
    words.map((word) => names.indexOf(word)).find((place) => place >= 0) ?? -1;
  const entries = Object.entries(COLUMNS).map(([column, words]) => [column, placeOf(words)] as const);
  const places = Object.fromEntries(entries) as ColumnPlaces;
  const layout = LAYOUTS.find(({ needs }) => needs.every((column) => places[column] >= 0));
  return layout && { layout, places };
};

/** How ledgers write days. Figures with slashes are month, day, year. */
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

/** `$(250.00)` is `($250.00)`. */
const readMoney = (text: string): Money | undefined => {
  const price = readPrice(text.replace(/^\$\s*\((.*)\)$/, '($1)'));
  return price !== undefined && isWholeCents(price) ? moneyOfPrice(price) : undefined;
};

/** What a row says in the columns that are known. */
export type Cells = (column: LedgerColumn) => string;

export const cellsOf =
  ({ places }: Header, cells: readonly string[]): Cells =>
  (column) =>
    (cells[places[column]] ?? '').trim();

/** An amount of a row with the sign of a liability, or what is wrong with it; `undefined` when there is none. */
type ReadAmount = { readonly amount: Money } | { readonly problem: string } | undefined;

export const readAmount = ({ layout }: Header, cells: Cells): ReadAmount => {
  if (layout.amounts === 'liability') return named('Amount', cells('amount'));
  const [debit, credit] = [named('Debit', cells('debit')), named('Credit', cells('credit'))];
  if (debit && 'problem' in debit) return debit;
  if (credit && 'problem' in credit) return credit;
  return debit || credit ? { amount: subtract(credit?.amount ?? ZERO, debit?.amount ?? ZERO) } : undefined;
};

/** A balance stands in its own column, where debits count as positive if they have a column of their own, or as an amount. */
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
