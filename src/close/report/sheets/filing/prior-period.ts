import { versionBefore } from '../../../../kernel/amended-version.ts';
import { type Money, subtract, sum, ZERO } from '../../../../kernel/money.ts';
import { RATE_ONE, type Rate, rate } from '../../../../kernel/rate.ts';
import { roundBigQuotient } from '../../../../kernel/rounding.ts';
import { type PeriodReport, statesBefore } from '../../../figures/period-report.ts';
import type { PriorFiling, PriorPeriodState } from '../../../figures/prior-period-states.ts';
import type { TaxReturn } from '../../../filing/return/tax-return.ts';
import { returnKey } from '../../../filing/state-figures.ts';
import { cellOf, formula } from '../../../workbook/cell.ts';
import { quoted, type References } from '../../../workbook/references.ts';
import { type Column, defineSheet, type FilledSheet, filled, type Line } from '../../../workbook/sheet.ts';

/** The figures of a state in the period before. */
type Before = Pick<PriorPeriodState, 'collected' | 'expected'> & {
  readonly filed: Pick<PriorFiling, 'taxable'> | undefined;
};

/** Those of a state that had neither sales nor a return in a period that was closed here. */
const NOTHING: Before = { collected: ZERO, expected: ZERO, filed: { taxable: ZERO } };

/** A return next to the figures of the period before it. */
type PriorRow = {
  readonly filed: TaxReturn;
  /**
   * The returns of the state and of places in it that collect their own tax; the period before has them in one figure.
   */
  readonly ofState: readonly TaxReturn[];
  /** `undefined` if that period was not closed here. */
  readonly before: Before | undefined;
  /** Amounts from sales of locked periods that are filed with this one. */
  readonly lateTaxable: Money;
  readonly lateTax: Money;
};

/** A percentage is rounded to a hundredth of a percent. */
const SHARE_PLACES = 10_000;

/** Compares one figure of both periods, in dollars and in percent; blank if the earlier one is not known. */
const compared = (
  name: string,
  source: string,
  now: (filed: TaxReturn) => Money,
  returnsOf: (row: PriorRow) => readonly TaxReturn[],
  kept: (before: Before) => Money | undefined,
): readonly Column<PriorRow>[] => {
  const titles = { before: `${name} before`, now: `${name} now`, change: `${name} change` };
  const before = (row: PriorRow): Money | undefined => row.before && kept(row.before);
  const nowOf = (row: PriorRow): Money => sum(returnsOf(row).map(now));
  const unlessBlank = (at: References, value: string): string =>
    `IF(${at.cell(titles.before)}="","",${value})`;
  return [
    { title: titles.before, width: 15, format: 'money', value: before, total: 'sum' },
    {
      title: titles.now,
      width: 15,
      format: 'money',
      value: (row) =>
        formula(
          (at) =>
            returnsOf(row)
              .map(({ figures }) => at.sumIfs('Returns', source, { State: quoted(returnKey(figures)) }))
              .join('+'),
          nowOf(row),
        ),
      total: 'sum',
    },
    {
      title: titles.change,
      width: 15,
      format: 'money',
      value: (row) => changeOf(before(row), nowOf(row)),
      formula: (at) => unlessBlank(at, at.difference(at.cell(titles.now), at.cell(titles.before))),
      total: 'sum',
    },
    {
      title: `${titles.change} %`,
      width: 12,
      format: 'percent',
      value: (row) => shareOf(before(row), nowOf(row)),
      formula: (at) => {
        const [change, first] = [at.cell(titles.change), at.cell(titles.before)];
        return unlessBlank(at, `IF(${first}=0,"",ROUND(${change}/ABS(${first}),4))`);
      },
    },
  ];
};

const changeOf = (before: Money | undefined, now: Money): Money | undefined =>
  before === undefined ? undefined : subtract(now, before);

const shareOf = (before: Money | undefined, now: Money): Rate | undefined => {
  if (before === undefined || before === 0) return undefined;
  const change = BigInt(subtract(now, before)) * BigInt(SHARE_PLACES);
  return rate(Number(roundBigQuotient(change, BigInt(Math.abs(before)))) * (RATE_ONE / SHARE_PLACES));
};

const carried = (title: string, kind: 'prepayments' | 'credits'): Column<PriorRow> => ({
  title,
  width: 14,
  format: 'money',
  value: ({ filed }) => filed[kind].opening,
  formula: (at) => at.sumIfs('Prepayments', 'Opening', { State: at.cell('State'), Kind: quoted(kind) }),
  total: 'sum',
});

const late = (title: string, value: (row: PriorRow) => Money): Column<PriorRow> => ({
  title,
  width: 14,
  format: 'money',
  value,
  total: 'sum',
  note: 'Of sales of locked periods that are filed with this one; Late items in variance.xlsx has them one by one.',
});

const PRIOR_PERIOD = defineSheet<PriorRow>({
  name: 'Prior period',
  table: 'Prior_period',
  title: 'Prior period: these returns beside the period before',
  note: 'The period before as it stood when it was last closed here; blank where it was not. What it left over of prepayments and credits opens the accounts of this period, unless the configuration says otherwise.',
  freeze: { columns: 1 },
  columns: [
    { title: 'State', width: 8, format: 'status', value: ({ filed }) => returnKey(filed.figures) },
    ...compared(
      'Taxable',
      'Taxable',
      ({ figures }) => figures.taxable,
      ({ filed }) => [filed],
      ({ filed }) => filed?.taxable,
    ),
    ...compared(
      'Tax',
      'Expected',
      ({ figures }) => figures.expected,
      ({ ofState }) => ofState,
      ({ expected }) => expected,
    ),
    ...compared(
      'Collected',
      'Collected',
      ({ figures }) => figures.collected,
      ({ ofState }) => ofState,
      ({ collected }) => collected,
    ),
    late('Late taxable', ({ lateTaxable }) => lateTaxable),
    late('Late tax', ({ lateTax }) => lateTax),
    carried('Prepayments carried', 'prepayments'),
    carried('Credits carried', 'credits'),
  ],
});

/**
 * Builds the sheet that compares each return with the period before it and shows what that one left over; nothing if
 * that period was not closed here and there are no late items.
 */
export const priorPeriodSheet = (
  report: PeriodReport,
  returns: readonly TaxReturn[],
): readonly FilledSheet[] => {
  const known = statesBefore(report);
  const filedLate = report.late.filter(({ choice }) => choice !== 'open');
  if (known.length === 0 && filedLate.length === 0) return [];
  const rows = returns.filter(isOfState).map((filed): PriorRow => {
    const { state } = filed.figures;
    const own = filedLate.filter((line) => line.state === state);
    return {
      filed,
      ofState: returns.filter(({ figures }) => figures.state === state && figures.kind !== 'fee'),
      before: known.find((row) => row.state === state) ?? (known.length === 0 ? undefined : NOTHING),
      lateTaxable: sum(own.map(({ taxable }) => taxable)),
      lateTax: sum(own.map(({ expected }) => expected)),
    };
  });
  return [filled({ ...PRIOR_PERIOD, lines: [beforeLine(report, known[0])] }, rows)];
};

const isOfState = ({ figures }: TaxReturn): boolean => figures.kind === 'state';

const beforeLine = ({ period }: PeriodReport, known: PriorPeriodState | undefined): Line => {
  const text = known?.period ?? `${versionBefore(period)?.label ?? 'none'}, not closed here`;
  return { label: 'Period before', value: cellOf('text', text) };
};
