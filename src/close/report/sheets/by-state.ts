import { subtract } from '../../../kernel/money.ts';
import { mainReasonOf } from '../../figures/parts-of-state.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import { type Exception, isOpen } from '../../reconcile/exceptions.ts';
import { isMaterial, type StateTotals } from '../../reconcile/period-totals.ts';
import { type Cell, cellOf } from '../../workbook/cell.ts';
import { quoted, type References } from '../../workbook/references.ts';
import { type Column, defineSheet, type FilledSheet, filled } from '../../workbook/sheet.ts';
import { counted, summed, variance, word, words } from './columns.ts';
import { recordedFormula } from './detail.ts';

type StateRow = StateTotals & {
  readonly since: string;
  readonly mainReason: string | undefined;
  readonly exceptions: readonly Exception[];
  readonly isMaterial: boolean;
};

/** Names of the cells with the materiality policy. */
const MATERIAL_AMOUNT = 'MATERIAL_AMOUNT';
const MATERIAL_SHARE = 'MATERIAL_SHARE';

const materialFormula = (at: References): string => {
  const variance = `ABS(${at.cell('Variance')})`;
  const share = `ROUND(ABS(${at.cell('Expected')})*${MATERIAL_SHARE},7)`;
  return `IF(AND(${variance}>${MATERIAL_AMOUNT},${variance}>${share}),${quoted('yes')},${quoted('no')})`;
};

type Figure = 'Gross' | 'Taxable' | 'Collected' | 'Expected' | 'Recorded';

const ofThisState = (at: References) => ({ State: at.cell('State') });

const figure = (title: Figure, value: (row: StateRow) => Cell<'money'>, note?: string): Column<StateRow> =>
  summed(title, 13, value, {
    formula: (at) =>
      title === 'Recorded'
        ? recordedFormula(at, ofThisState(at))
        : at.sumIfs('Detail', title, ofThisState(at)),
    ...(note !== undefined && { note }),
  });

/** One row per state: sales, tax collected, tax expected and tax recorded. */
export const BY_STATE = defineSheet<StateRow>({
  name: 'By state',
  table: 'By_state',
  title: 'By state',
  empty: 'Nothing is posted in the period.',
  note: 'Sums of Detail. Variance = collected minus expected: positive where too much was charged.',
  freeze: { columns: 1 },
  columns: [
    word('State', 8, (row) => row.state),
    word('Registered since', 16, (row) => row.since || 'no', {
      flag: (row) => (row.since === '' && row.collected !== 0 ? 'attention' : undefined),
    }),
    figure('Gross', (row) => row.gross, 'Goods and shipping after discounts, without tax; refunds deducted.'),
    figure('Taxable', (row) => row.taxable),
    figure('Collected', (row) => row.collected),
    figure('Expected', (row) => row.expected),
    figure('Recorded', (row) => row.recorded),
    variance,
    word('Material', 10, (row) => (row.isMaterial ? 'yes' : 'no'), {
      formula: materialFormula,
      note: 'Above the amount and above the share of the expected tax that stand above the table.',
    }),
    words('Main reason', 33, ({ mainReason }) => mainReason, {
      note: 'The reason with the largest amount in the state, whatever its sign.',
    }),
    counted('Open exceptions', 12, (row) => row.exceptions.filter(isOpen).length, {
      formula: (at) => at.countIfs('Exceptions', { State: at.cell('State'), Decision: quoted('open') }),
    }),
  ],
});

export const stateRows = (report: PeriodReport): readonly StateRow[] =>
  report.states.map((state) => ({
    ...state,
    since: report.registrations.find((registration) => registration.state === state.state)?.since ?? '',
    mainReason: mainReasonOf(report.stateReasons, state.state),
    exceptions: report.exceptions.filter((exception) => exception.state === state.state),
    isMaterial: isMaterial(subtract(state.collected, state.expected), state.expected, report.materiality),
  }));

/** Builds the sheet of states, with the materiality policy above them. */
export const byStateSheet = (report: PeriodReport): FilledSheet => {
  const { amount, share } = report.materiality;
  return filled(
    {
      ...BY_STATE,
      lines: [
        {
          label: 'Material amount',
          value: cellOf('money', amount),
          name: MATERIAL_AMOUNT,
        },
        {
          label: 'Material share',
          value: cellOf('percent', share),
          name: MATERIAL_SHARE,
          note: 'A variance above the amount and above this share of the expected tax is material.',
        },
      ],
    },
    stateRows(report),
  );
};
