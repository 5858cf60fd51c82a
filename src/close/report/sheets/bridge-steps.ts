import { add, type Money, money, subtract, ZERO } from '../../../kernel/money.ts';
import { shownMoney } from '../../../kernel/shown-figures.ts';
import { movingReasons } from '../../figures/moving-reasons.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import { COLOURS } from '../../pictures/look.ts';
import { waterfallDescription } from '../../pictures/waterfall.ts';
import { REASONS, type ReasonCode } from '../../reconcile/reason.ts';
import { formula } from '../../workbook/cell.ts';
import { quoted, type References } from '../../workbook/references.ts';
import { type Column, defineSheet, type FilledSheet, filled } from '../../workbook/sheet.ts';

type StepRow = {
  /** The reason of the step; `undefined` in the last row, the total. */
  readonly code: ReasonCode | undefined;
  readonly amount: Money;
  readonly from: Money;
  readonly to: Money;
  readonly index: number;
};

const TABLE = 'Bridge_steps';
const TOTAL = 'Variance';
/** A minus sign instead of a hyphen, after which a label could break and move the amount to the next line. */
const MINUS = '\u2212';

const stepRows = (report: PeriodReport): readonly StepRow[] => {
  let reached: Money = ZERO;
  const steps = movingReasons(report).map(({ code, amount }, index): StepRow => {
    const from = reached;
    reached = add(reached, amount);
    return { code, amount, from, to: reached, index };
  });
  return [...steps, { code: undefined, amount: reached, from: ZERO, to: reached, index: steps.length }];
};

/** Returns the end of a step if it is above (or below) zero, otherwise zero. */
const above = (end: Money): Money => money(Math.max(0, end));
const below = (end: Money): Money => money(Math.min(0, end));

type Side = 'Over' | 'Under';

/** Builds the part of a step above or below zero: stacked columns cannot cross zero. */
const part = (title: string, side: Side, limit: typeof above): Column<StepRow> => {
  const bound = limit === above ? 'MAX' : 'MIN';
  // Above zero a part extends up from its lower end; below zero, down from its higher end.
  const isUp = (side === 'Over') === (limit === above);
  const [far, near] = isUp ? ['To', 'From'] : ['From', 'To'];
  return {
    title,
    width: 13,
    format: 'money',
    value: ({ code, amount, from, to }) => {
      const isOther = code === undefined || (side === 'Over' ? amount <= 0 : amount >= 0);
      if (isOther) return ZERO;
      return isUp ? subtract(limit(to), limit(from)) : subtract(limit(from), limit(to));
    },
    formula: (at) => {
      const isOwn = `AND(${at.cell('Step')}<>${quoted(TOTAL)},${at.cell('Amount')}${side === 'Over' ? '>' : '<'}0)`;
      const size = at.difference(`${bound}(0,${at.cell(far)})`, `${bound}(0,${at.cell(near)})`);
      return `IF(${isOwn},${size},0)`;
    },
  };
};

const BASE_FORMULA = (at: References): string => {
  const [from, to] = [at.cell('From'), at.cell('To')];
  return `IF(${at.cell('Step')}=${quoted(TOTAL)},0,MAX(0,MIN(${from},${to}))+MIN(0,MAX(${from},${to})))`;
};

const baseOf = ({ code, from, to }: StepRow): Money => {
  if (code === undefined) return ZERO;
  return add(above(money(Math.min(from, to))), below(money(Math.max(from, to))));
};

const amountCell = ({ code, amount }: StepRow) =>
  formula(
    (at) =>
      code === undefined
        ? `ROUND(${at.sum('By_reason', 'Net')},2)`
        : at.sumIfs('By_reason', 'Net', { Code: quoted(code) }),
    amount,
  );

/** Starts each step where the one before it ends. */
const fromCell = ({ code, from, index }: StepRow) =>
  code === undefined || index === 0 ? from : formula((at) => at.cellAt(TABLE, 'To', index - 1), from);

const COLUMNS: readonly Column<StepRow>[] = [
  { title: 'Step', width: 10, format: 'status', value: ({ code }) => code ?? TOTAL },
  {
    title: 'Reason',
    width: 34,
    format: 'text',
    value: ({ code }) => (code === undefined ? 'Collected minus expected' : REASONS[code].name),
  },
  { title: 'Amount', width: 13, format: 'money', value: amountCell },
  { title: 'From', width: 13, format: 'money', value: fromCell },
  {
    title: 'To',
    width: 13,
    format: 'money',
    value: ({ to }) => to,
    formula: (at) => `ROUND(${at.cell('From')}+${at.cell('Amount')},2)`,
  },
  {
    title: 'Label',
    width: 18,
    format: 'status',
    value: ({ code, amount }) => `${code ?? TOTAL} ${shownMoney(amount).replace('-', MINUS)}`,
    formula: (at) => `${at.cell('Step')}&" "&SUBSTITUTE(FIXED(${at.cell('Amount')},2),"-",${quoted(MINUS)})`,
    note: 'Stands below the column of the chart.',
  },
  {
    title: 'Base',
    width: 13,
    format: 'money',
    value: baseOf,
    formula: BASE_FORMULA,
    note: 'Where the column of the step begins: the chart has a column up or down to here that is not seen.',
  },
  part('Over', 'Over', above),
  part('Over below zero', 'Over', below),
  part('Under', 'Under', above),
  part('Under below zero', 'Under', below),
  {
    title: 'Total',
    width: 13,
    format: 'money',
    value: ({ code, to }) => (code === undefined ? to : ZERO),
    formula: (at) => `IF(${at.cell('Step')}=${quoted(TOTAL)},${at.cell('To')},0)`,
  },
];

/** Builds the variance step by step, as a table with a chart at the top of the sheet; nothing for a single reason. */
export const bridgeStepsSheet = (report: PeriodReport): readonly FilledSheet[] => {
  const rows = stepRows(report);
  if (rows.length < 3) return [];
  const sheet = defineSheet<StepRow>({
    name: 'Bridge steps',
    table: TABLE,
    title: 'Bridge steps: from expected to collected, reason by reason',
    note: 'Each step is what one reason adds to the tax collected, or takes from it: the net of the table on top of the sheet. Columns from Base on draw the chart there.',
    freeze: { columns: 1 },
    columns: COLUMNS,
    chart: {
      isAtTop: true,
      title: 'From expected to collected, reason by reason',
      description: waterfallDescription(movingReasons(report)),
      direction: 'columns',
      isStacked: true,
      axisTitle: 'Collected minus expected',
      categories: 'Label',
      series: [
        { column: 'Base' },
        { column: 'Over', colour: COLOURS.over },
        { column: 'Over below zero', colour: COLOURS.over, isUnnamed: true },
        { column: 'Under', colour: COLOURS.under },
        { column: 'Under below zero', colour: COLOURS.under, isUnnamed: true },
        { column: 'Total', colour: COLOURS.total },
      ],
    },
  });
  return [filled(sheet, rows)];
};
