import type { CalendarDate } from '../../src/kernel/calendar.ts';
import { calendarDate, instant } from '../../src/kernel/calendar.ts';
import { type Money, money, type Rate, rate, subtract, sum } from '../../src/kernel/money.ts';
import { type Cell, formula, type TypedCell } from '../../src/workbook/cell.ts';
import { allPass, type Check, checksSheet } from '../../src/workbook/checks-sheet.ts';
import type { Format } from '../../src/workbook/format.ts';
import { defineSheet, filled, laidOut, stacked, streamed, text } from '../../src/workbook/sheet.ts';
import type { WorkbookContent } from '../../src/workbook/write-workbook.ts';

const cellOf = <F extends Format>(format: F, value: Cell<F>): TypedCell<F> => ({ format, value });

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
  note: 'One row per order. Variance = collected minus expected: negative where too little was charged.',
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
  readonly expected: Money;
};

/** One row per state, each figure a formula over Detail. */
export const byState = defineSheet<StateSummary>({
  name: 'By state',
  note: 'Each figure adds up the rows of Detail for its state.',
  freeze: { columns: 1 },
  columns: [
    {
      title: 'State',
      width: 10,
      format: 'text',
      value: (row) => row.state,
    },
    {
      title: 'Orders',
      width: 10,
      format: 'count',
      value: (row) => row.orders,
      formula: (at) => at.countIfs('Detail', { State: at.cell('State') }),
      total: 'sum',
    },
    {
      title: 'Collected',
      width: 16,
      format: 'money',
      value: (row) => row.collected,
      formula: (at) => at.sumIfs('Detail', 'Collected', { State: at.cell('State') }),
      total: 'sum',
    },
    {
      title: 'Expected',
      width: 16,
      format: 'money',
      value: (row) => row.expected,
      formula: (at) => at.sumIfs('Detail', 'Expected', { State: at.cell('State') }),
      total: 'sum',
    },
    {
      title: 'Variance',
      width: 14,
      format: 'money',
      value: (row) => subtract(row.collected, row.expected),
      formula: (at) => at.difference(at.cell('Collected'), at.cell('Expected')),
      total: 'sum',
      flagWhen: { attention: (cell) => `${cell}<>0` },
    },
  ],
});

/** A second table on the sheet of the states, computed from the one above it. */
export const shares = defineSheet<StateSummary>({
  name: 'Shares',
  note: 'What each state is of all tax collected.',
  columns: [
    { title: 'State', width: 10, format: 'text', value: (row) => row.state },
    {
      title: 'Collected',
      width: 10,
      format: 'money',
      value: (row) => row.collected,
      formula: (at) => at.sumIfs('By_state', 'Collected', { State: at.cell('State') }),
      total: 'sum',
    },
    { title: 'Remark', width: 60, format: 'text', value: (row) => `Orders of ${row.state}: ${row.orders}` },
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
      expected: sum(own.map(({ expected }) => expected)),
    };
  });

const checksOf = (sales: readonly Sale[], states: readonly StateSummary[]): Check[] => [
  {
    id: 'C1',
    test: 'The tax collected by state adds up to the tax collected in Detail.',
    format: 'money',
    left: formula((at) => at.sum('By_state', 'Collected'), sum(states.map(({ collected }) => collected))),
    right: formula((at) => at.sum('Detail', 'Collected'), sum(sales.map(({ collected }) => collected))),
    see: 'By state',
  },
  {
    id: 'C2',
    test: 'Detail has as many rows as were read.',
    format: 'count',
    left: formula((at) => at.rows('Detail'), sales.length),
    right: sales.length,
    see: 'Detail',
  },
];

const COLUMNS = [{ title: 'What' }, { title: 'Value' }, { title: 'Remark' }];

export const demoWorkbook = (sales: readonly Sale[]): WorkbookContent => {
  const states = summarise(sales);
  const collected = sum(sales.map((sale) => sale.collected));
  return {
    properties: {
      title: 'Demonstration of October 2026',
      creator: 'tieout 0.1.0',
      company: 'Northwind Outfitters',
      created: instant(Date.UTC(2026, 10, 1)),
    },
    sheets: [
      laidOut({
        name: 'README',
        title: 'Sales tax variance, October 2026',
        subtitle: 'The tax each sale carried beside the tax it should have carried.',
        orientation: 'portrait',
        widths: [30, 44, 56],
        cards: [],
        grids: [
          {
            name: 'Parameters',
            hasHeader: true,
            columns: COLUMNS,
            rows: [
              { cells: [text('Entity'), text('Northwind Outfitters LLC')] },
              { cells: [text('First day'), cellOf('date', calendarDate('2026-10-01'))] },
              {
                cells: [
                  text('Tax collected'),
                  cellOf(
                    'money',
                    formula((at) => at.sum('Detail', 'Collected'), collected),
                  ),
                  text('From the sheet Detail.', { link: { sheet: 'Detail' } }),
                ],
              },
              {
                cells: [
                  text('All checks'),
                  cellOf(
                    'status',
                    formula((refer) => `IF(${allPass(refer)},"READY","NOT READY")`, 'READY'),
                  ),
                ],
              },
            ],
          },
        ],
        findings: ['Every total is a formula over the sheet Detail.'],
      }),
      checksSheet(checksOf(sales, states)),
      stacked(filled(byState, states), [filled(shares, states)]),
      streamed(detail, { count: sales.length, pages: [sales] }),
    ],
  };
};
