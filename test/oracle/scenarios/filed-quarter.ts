import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DrawnMonth, drawOrder, type MonthOrder } from '../../../bench/month/draw-order.ts';
import { orderText } from '../../../bench/month/order-rows.ts';
import { writeExports, writeSeller } from '../../../bench/month/write-month.ts';
import { calendarDate } from '../../../src/kernel/calendar.ts';
import { answerLate } from '../../support/decisions.ts';
import { salesIn, tableRows } from '../../support/sheets.ts';
import { tieout } from '../../support/tieout.ts';
import { inFolder } from '../in-folder.ts';
import type { Texts } from '../pack-texts.ts';

const JULY: DrawnMonth = {
  first: calendarDate('2026-07-01'),
  last: calendarDate('2026-07-31'),
  ordersBefore: 0,
};
const AUGUST: DrawnMonth = {
  first: calendarDate('2026-08-01'),
  last: calendarDate('2026-08-31'),
  ordersBefore: 10_000,
};
const SEPTEMBER: DrawnMonth = {
  first: calendarDate('2026-09-01'),
  last: calendarDate('2026-09-30'),
  ordersBefore: 10_600,
};
const ORDERS = new Map([
  [JULY, 10_000],
  [AUGUST, 600],
  [SEPTEMBER, 600],
]);

const orderOf = (month: DrawnMonth, index: number): MonthOrder =>
  drawOrder(index, ORDERS.get(month) ?? 0, month);

/** What the shop says of an order after its month was locked, instead of what it said before; `undefined` is nothing. */
type Change = {
  readonly month: DrawnMonth;
  readonly before?: string;
  readonly after?: string;
};

const rowsOf = (order: MonthOrder): string => orderText(order).orders;

const withOneMore = (order: MonthOrder): MonthOrder => ({
  ...order,
  lines: order.lines.map((line, index) => (index === 0 ? { ...line, quantity: line.quantity + 1 } : line)),
});

/** One more item in an order, one order that was voided, and one that the first export did not have. */
const CHANGED = orderOf(JULY, 4_001);
const VOIDED = orderOf(JULY, 5_002);
const MISSED = orderOf(JULY, 6_008);
const LATE_FOR_JULY: readonly Change[] = [
  { month: JULY, before: rowsOf(CHANGED), after: rowsOf(withOneMore(CHANGED)) },
  { month: JULY, before: rowsOf(VOIDED), after: rowsOf(VOIDED).replace(',paid,', ',voided,') },
  { month: JULY, after: rowsOf(MISSED) },
];
const AMENDED = orderOf(AUGUST, 101);
const LATE_FOR_AUGUST: readonly Change[] = [
  { month: AUGUST, before: rowsOf(AMENDED), after: rowsOf(withOneMore(AMENDED)) },
];

/** What came late is answered in the form of the open period. */
type Step =
  | { readonly run: string }
  | { readonly changes: readonly Change[] }
  | {
      readonly answer: 'next' | 'amend';
      readonly in: string;
    };

/** July is locked, and three corrections are carried into August; August is locked, and one correction amends it. */
const HISTORY: readonly Step[] = [
  { changes: [{ month: JULY, before: rowsOf(MISSED) }] },
  { run: 'close 2026-07' },
  { run: 'lock 2026-07 --as Dana --open-exceptions known' },
  { changes: LATE_FOR_JULY },
  { run: 'close 2026-08' },
  { answer: 'next', in: '2026-08' },
  { run: 'close 2026-08' },
  { run: 'lock 2026-08 --as Dana --open-exceptions known' },
  { changes: LATE_FOR_AUGUST },
  { run: 'close 2026-09' },
  { answer: 'amend', in: '2026-09' },
  { run: 'close 2026-08 --amend' },
  { run: 'lock 2026-08-amended-1 --as Dana --open-exceptions known' },
  { run: 'backfill 2026-08..2026-09' },
  { run: 'lock 2026-09 --as Dana --open-exceptions known' },
  { run: 'close 2026-Q3' },
];

/** A correction has the number of its order, with something behind it. */
const CORRECTED = new RegExp(
  `^(${[CHANGED, VOIDED, MISSED, AMENDED].map(({ number }) => number).join('|')})\\b`,
);

/**
 * The figures of a large month that is locked, corrected and filed with its quarter, in cents: what each state, return
 * and payment comes to, how the sales ended, and the records of each correction. They say nothing of rows, sheets or
 * wording, so that books can be drawn anew over the same figures.
 */
export const filedQuarter = (): Promise<Texts> =>
  inFolder(async (folder) => {
    writeSeller(folder);
    const config = join(folder, 'tieout.yaml');
    const quarterly = (await readFile(config, 'utf8')).replace(
      '{ state: CA, since',
      '{ state: CA, frequency: quarterly, since',
    );
    await writeFile(config, quarterly);
    for (const [month, orders] of ORDERS)
      await writeExports(folder, { orders, month, name: month.first.slice(0, 7) });
    const output = join(folder, 'output', 'bench');
    const out = (period = ''): string => join(output, period);
    const texts = new Map<string, string>();
    let steps = '';
    for (const step of HISTORY) {
      if ('changes' in step) await changeExports(folder, step.changes);
      else if ('answer' in step) await answerLate({ folder, out }, step.in, step.answer);
      else {
        const words = step.run.split(' ');
        const ran = await tieout([...words, '--config', config, '--json']);
        if (ran.stderr !== '') throw new Error(`${step.run}: ${ran.stderr}`);
        steps += `${step.run}: exit code ${ran.code}
`;
      }
    }
    texts.set('steps.txt', steps);
    for (const period of (await readdir(output)).filter((name) => name.startsWith('2026-')))
      texts.set(`${period}.json`, `${JSON.stringify(await figuresOf(join(output, period)), null, 1)}\n`);
    return texts;
  });

const changeExports = async (folder: string, changes: readonly Change[]): Promise<void> => {
  for (const { month, before = '', after = '' } of changes) {
    const path = join(folder, `orders${month.first.slice(0, 7)}.csv`);
    const text = await readFile(path, 'utf8');
    if (!text.includes(before)) throw new Error(`${path} has no such order`);
    await writeFile(path, before === '' ? text + after : text.replace(before, after));
  }
};

const cents = (cell: unknown): unknown => (typeof cell === 'number' ? Math.round(cell * 100) : cell);

/** What a period comes to, by the names of columns that a reader looks for. */
const figuresOf = async (folder: string): Promise<object> => {
  const variance = join(folder, 'variance.xlsx');
  const filing = join(folder, 'filing-summary.xlsx');
  const detail = await salesIn(variance);
  const posted = (state: unknown, kind: string): number =>
    detail.filter((row) => row['Posted'] === 'Yes' && row['State'] === state && row['Kind'] === kind).length;
  return {
    states: (await tableRows(variance, 'By state')).map((row) => ({
      ...{
        state: row['State'],
        orders: posted(row['State'], 'order'),
        refunds: posted(row['State'], 'refund'),
      },
      ...inCents(row, ['Gross', 'Taxable', 'Collected', 'Expected', 'Recorded', 'Variance']),
    })),
    returns: (await tableRows(filing, 'Returns')).map((row) => ({
      ...{ state: row['State'], form: row['Return'] },
      ...inCents(row, ['Gross sales', 'Deductions', 'Taxable', 'Expected', 'Collected']),
      ...inCents(row, ['On the return', 'Discount', 'Amount due']),
    })),
    pay: (await tableRows(filing, 'Pay')).map((row) => ({
      ...{ state: row['State'], form: row['Return'], by: row['Pay by'] },
      ...inCents(row, ['To pay']),
    })),
    outcomes: countsOf(detail.map((row) => `${row['Kind']}, posted: ${row['Posted']}, ${row['Status']}`)),
    reasons: countsOf(detail.flatMap((row) => (row['Reason'] === null ? [] : [`${row['Reason']}`]))),
    corrections: detail
      .filter((row) => CORRECTED.test(`${row['Transaction']}`))
      .map((row) => ({
        ...{ id: row['Transaction'], kind: row['Kind'], day: row['Business date'], state: row['State'] },
        ...inCents(row, ['Gross', 'Taxable', 'Collected', 'Expected', 'Recorded']),
      })),
  };
};

const inCents = (row: Readonly<Record<string, unknown>>, columns: readonly string[]): object =>
  Object.fromEntries(
    columns.map((column) => {
      if (!(column in row)) throw new Error(`the books have no column ${column}`);
      return [column, cents(row[column])];
    }),
  );

const countsOf = (names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...new Set(names)].sort().map((name) => [name, names.filter((one) => one === name).length]),
  );
