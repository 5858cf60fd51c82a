import { type CalendarDate, calendarDate } from '../../../kernel/calendar.ts';
import { type Money, sum } from '../../../kernel/money.ts';

/** The sales of one month into one state, as thresholds count them. */
export type MonthFigures = {
  /** `2026-10`. */
  readonly month: string;
  /** All sales, those on marketplaces included. */
  readonly gross: Money;
  /** Of these, sales to buyers who sell again. */
  readonly resale: Money;
  readonly taxable: Money;
  /** Of gross, sales on marketplaces that collect the tax themselves. */
  readonly marketplace: Money;
  readonly transactions: number;
  readonly marketplaceTransactions: number;
};

/** Months are counted from the year 0, so that spans are plain arithmetic. */
export const monthIndex = (month: string): number =>
  Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;

export const monthName = (index: number): string =>
  `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;

export const firstOfMonth = (index: number): CalendarDate => calendarDate(`${monthName(index)}-01`);

export const daysInMonth = (index: number): number =>
  new Date(Date.UTC(Math.floor(index / 12), (index % 12) + 1, 0)).getUTCDate();

export const totalOf = (months: readonly MonthFigures[], figure: (month: MonthFigures) => Money): Money =>
  sum(months.map(figure));
