import type { Money } from '../../../kernel/money.ts';
import { type Cell, formula } from '../../workbook/cell.ts';
import { quoted, type References } from '../../workbook/references.ts';
import { type Column, defineSheet } from '../../workbook/sheet.ts';
import { counted, variance, word, words } from './columns.ts';

export type BackfillFigures = {
  readonly gross: Money;
  readonly taxable: Money;
  readonly collected: Money;
  readonly expected: Money;
  readonly recorded: Money;
};

export type MonthRow = BackfillFigures & {
  readonly month: string;
  readonly result: string;
  readonly checks: 'READY' | 'NOT READY' | '';
  /** The folder beside that of this workbook with the workbooks that its figures are of. */
  readonly folder: string;
  readonly orders: number;
  readonly refunds: number;
  readonly open: number;
  /** The reason why it stopped, or why it was skipped. */
  readonly remark: string;
};

type Figure = 'Gross' | 'Taxable' | 'Collected' | 'Expected' | 'Recorded';

const ofThisMonth = (at: References) => ({ Month: at.cell('Month') });

const figure = (title: Figure, value: (row: MonthRow) => Cell<'money'>): Column<MonthRow> => ({
  title,
  width: 15,
  format: 'money',
  value,
  formula: (at) => at.sumIfs('By_month_and_state', title, ofThisMonth(at)),
  total: 'sum',
});

const count = (title: 'Orders' | 'Refunds', value: (row: MonthRow) => number): Column<MonthRow> => ({
  title,
  width: 9,
  format: 'count',
  value,
  formula: (at) => at.sumIfs('By_month_and_state', title, ofThisMonth(at)),
  total: 'sum',
});

/** Links to the workbook of a month, of an amended month to that of its last version. */
const linkTo = (folder: string): Cell<'status'> =>
  formula(`HYPERLINK(${quoted(`../${folder}/variance.xlsx`)},${quoted('variance.xlsx')})`, 'variance.xlsx');

/** One row per month of the range: its outcome, its figures, and links to its workbooks. */
export const BACKFILL_MONTHS = defineSheet<MonthRow>({
  name: 'Months',
  table: 'Months',
  title: 'Months',
  note: 'Figures are sums of the sheet By month and state. A month that is not complete has none, whatever an earlier run left in its folder.',
  freeze: { columns: 1 },
  columns: [
    word('Month', 9, (row) => row.month),
    word('Result', 15, (row) => row.result, {
      flag: (row) => (row.result === 'closed' || row.result === 'locked' ? 'good' : 'attention'),
    }),
    word('Readiness', 10, (row) => row.checks, { flagWhen: { attention: (cell) => `${cell}="NOT READY"` } }),
    counted('Open', 8, (row) => row.open, { note: 'Open exceptions.' }),
    count('Orders', (row) => row.orders),
    count('Refunds', (row) => row.refunds),
    figure('Gross', (row) => row.gross),
    figure('Taxable', (row) => row.taxable),
    figure('Collected', (row) => row.collected),
    figure('Expected', (row) => row.expected),
    figure('Recorded', (row) => row.recorded),
    variance,
    word('Workbook', 15, ({ checks, folder }) => (checks === '' ? '' : linkTo(folder))),
    words('Remark', 40, (row) => row.remark, { wrap: true }),
  ],
});
