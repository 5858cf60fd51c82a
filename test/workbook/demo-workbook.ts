import type { CalendarDate } from '../../src/kernel/calendar.ts';
import { calendarDate, instant } from '../../src/kernel/calendar.ts';
import { type Money, money, type Rate, rate, subtract, sum } from '../../src/kernel/money.ts';
import { formula } from '../../src/workbook/cell.ts';
import { type Check, checksSheet } from '../../src/workbook/checks-sheet.ts';
import { defineSheet, filled, streamed } from '../../src/workbook/sheet.ts';
import type { WorkbookContent } from '../../src/workbook/write-workbook.ts';

/** The executable documentation of the writer: a bulk sheet, a summary over it, and the sheets around them. */
export type Sale = {
  readonly id: string;
  readonly state: string;
  readonly zip: string;
  readonly date: CalendarDate;
  readonly rate: Rate;
  readonly collected: Money;
  readonly expected: Money;
};

const varianceOf = ({ collected, expected }: Sale): Money => subtract(collected, expected);

/** Every transaction; the sheet all others add up from. Its rows pass by once, however many. */
export const detail = defineSheet<Sale>({
  name: 'Detail',
  title: 'Detail: every transaction of the period',
  freeze: { columns: 1 },
  columns: [
    { title: 'Transaction', width: 14, format: 'id', value: (sale) => sale.id },
    { title: 'State', width: 8, format: 'text', value: (sale) => sale.state },
    { title: 'ZIP', width: 8, format: 'id', value: (sale) => sale.zip },
    { title: 'Date', width: 12, format: 'date', value: (sale) => sale.date },
    { title: 'Rate', width: 12, format: 'rate', value: (sale) => sale.rate },
    { title: 'Collected', width: 16, format: 'money', value: (sale) => sale.collected, total: 'sum' },
    { title: 'Expected', width: 16, format: 'money', value: (sale) => sale.expected, total: 'sum' },
    {
      title: 'Variance',
      width: 14,
      format: 'money',
      value: varianceOf,
      formula: (at) => at.difference(at.cell('Collected'), at.cell('Expected')),
      total: 'sum',
      flagWhen: { attention: (cell) => `${cell}<>0` },
    },
  ],
});

export type StateSummary = {
  readonly state: string;
  readonly orders: number;
  readonly collected: Money;
};

/** One row per state, each figure a formula over Detail. */
export const byState = defineSheet<StateSummary>({
  name: 'By state',
  freeze: { columns: 1 },
  columns: [
    { title: 'State', width: 10, format: 'text', value: (row) => row.state },
    {
      ...{ title: 'Orders', width: 10, format: 'count', value: (row: StateSummary) => row.orders },
      formula: (at) => at.countIfs('Detail', { State: at.cell('State') }),
    },
    {
      ...{ title: 'Collected', width: 16, format: 'money', value: (row: StateSummary) => row.collected },
      formula: (at) => at.sumIfs('Detail', 'Collected', { State: at.cell('State') }),
      total: 'sum',
    },
  ],
});

/** Sales whose figures follow from their number, so that the file is the same in every run. */
export const demoSales = (count: number): Sale[] =>
  Array.from({ length: count }, (_, index) => {
    const expected = money(((index * 7919) % 90_000) + 25);
    return {
      id: String(1000 + index).padStart(8, '0'),
      state: ['CA', 'NY', 'TX', 'WA'][index % 4] ?? 'CA',
      zip: ['00501', '90210', '02134'][index % 3] ?? '00501',
      date: calendarDate(`2026-10-${String((index % 31) + 1).padStart(2, '0')}`),
      rate: rate(725_000 + (index % 5) * 12_500),
      collected: index % 9 === 4 ? money(expected - 3 * (index % 50)) : expected,
      expected,
    };
  });

export const summarise = (sales: readonly Sale[]): StateSummary[] =>
  [...new Set(sales.map(({ state }) => state))].sort().map((state) => {
    const own = sales.filter((sale) => sale.state === state);
    return {
      state,
      orders: own.length,
      collected: sum(own.map(({ collected }) => collected)),
    };
  });

/** A book of a check, a summary and the rows below it. */
export const demoWorkbook = (sales: readonly Sale[]): WorkbookContent => {
  const states = summarise(sales);
  const check: Check = {
    id: 'C1',
    test: 'The tax collected by state adds up to the tax collected in Detail.',
    format: 'money',
    left: formula((at) => at.sum('By_state', 'Collected'), sum(states.map(({ collected }) => collected))),
    right: formula((at) => at.sum('Detail', 'Collected'), sum(sales.map(({ collected }) => collected))),
  };
  return {
    properties: {
      title: 'Demonstration of October 2026',
      creator: 'tieout 0.1.0',
      company: 'Northwind Outfitters',
      created: instant(Date.UTC(2026, 10, 1)),
    },
    sheets: [
      checksSheet([check]),
      filled(byState, states),
      streamed(detail, { count: sales.length, pages: [sales] }),
    ],
  };
};
