import { type CalendarDate, calendarDate } from '../../kernel/calendar.ts';
import { type Money, negate, subtract, ZERO } from '../../kernel/money.ts';
import { isWholeCents, moneyOfPrice } from '../../kernel/price.ts';
import { dateForm } from '../sales/normal/date-form.ts';
import { moneyReader } from '../sales/normal/read-money.ts';
import type { Header, LedgerColumn } from './layouts.ts';

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
export type ReadAmount = { readonly amount: Money } | { readonly problem: string } | undefined;

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
