import { sum } from '../../../../kernel/money.ts';
import { type PeriodReport, totalOf } from '../../../figures/period-report.ts';
import { type RolledRow, type RolledStatus, rolledRows } from '../../../general-ledger/roll-forward.ts';
import { type Cell, formula } from '../../../workbook/cell.ts';
import type { Check } from '../../../workbook/checks-sheet.ts';
import { quoted } from '../../../workbook/references.ts';
import { type Column, defineSheet, type FilledSheet, filled } from '../../../workbook/sheet.ts';
import { word } from '../columns.ts';

const TABLE = 'Roll_forward';
const CALCULATED = 'Closing balance, calculated';
const CLOSING = 'Closing balance of the accounts';
const UNSETTLED: readonly RolledStatus[] = ['● OPEN', '✕ MONTH MISSING'];

const amount = (title: string, value: (row: RolledRow) => Cell<'money'>): Column<RolledRow> => ({
  ...{ title, width: 15, format: 'money', value, total: 'sum' },
});

const text = (title: string, width: number, value: (row: RolledRow) => string): Column<RolledRow> => ({
  ...{ title, width, format: 'text', value, wrap: true },
});

const ROLL_FORWARD = defineSheet<RolledRow>({
  name: 'Roll-forward',
  table: TABLE,
  title: 'Roll-forward: sales tax payable beside your accounts',
  note: 'A liability: what is owed is positive. The opening balance, plus the tax collected by the sales of the period, less the returns that were due in it, plus adjustments, is the closing balance as calculated. Adjustments are what these returns paid beyond the tax collected or, as a minus, kept of it: discounts, rounding, use tax, prepayments and credits. Where the period before was not closed here, its returns are not known, and Paid is that of the accounts.',
  freeze: { columns: 1 },
  columns: [
    word('State', 14, ({ group }) => group),
    text('Accounts', 34, ({ accounts }) => accounts.join('; ')),
    amount('Opening balance', ({ opening }) => opening),
    amount('Collected', ({ collected }) => collected),
    amount('Paid', ({ paid }) => paid),
    amount('Adjustments', ({ adjustments }) => adjustments),
    {
      ...amount(CALCULATED, ({ calculated }) => calculated),
      formula: (at) =>
        `ROUND(${at.cell('Opening balance')}+${at.cell('Collected')}-${at.cell('Paid')}+${at.cell('Adjustments')},2)`,
    },
    amount(CLOSING, ({ closing }) => closing),
    {
      ...amount('Difference', ({ difference }) =>
        difference === undefined
          ? undefined
          : formula((at) => at.difference(at.cell(CALCULATED), at.cell(CLOSING)), difference),
      ),
      flagWhen: { attention: (cell) => `${cell}<>0` },
    },
    {
      ...word('Status', 18, ({ status }) => status),
      flagWhen: {
        good: (cell) => `LEFT(${cell})="✓"`,
        attention: (cell) => `OR(LEFT(${cell})="●",LEFT(${cell})="✕")`,
      },
    },
    text('Explanation', 40, ({ why }) => why),
    text('Returns paid', 26, ({ settled }) => settled.join('; ')),
  ],
});

/** Builds the sales tax payable of each state beside the seller's accounts; nothing without their balances. */
export const rollForwardSheet = (report: PeriodReport): readonly FilledSheet[] =>
  report.ledger ? [filled(ROLL_FORWARD, rolledRows(report))] : [];

/** Checks that the roll-forward has the tax of all sales, and that every difference is explained. */
export const rollForwardChecks = (report: PeriodReport): readonly Check[] => {
  if (!report.ledger) return [];
  const rows = rolledRows(report);
  const link = { sheet: 'Roll-forward' };
  return [
    {
      ...{ id: 'C11', format: 'money', link, right: totalOf(report, 'collected') },
      test: 'The tax collected in the roll-forward is that of all sales in variance.xlsx.',
      left: formula((at) => at.sum(TABLE, 'Collected'), sum(rows.map(({ collected }) => collected))),
    },
    {
      ...{ id: 'C12', format: 'count', link, right: 0 },
      test: 'Every material difference between the roll-forward and the accounts is explained.',
      left: formula(
        (at) => UNSETTLED.map((status) => at.countIfs(TABLE, { Status: quoted(status) })).join('+'),
        rows.filter(({ status }) => UNSETTLED.includes(status)).length,
      ),
    },
  ];
};
