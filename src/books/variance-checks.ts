import { WITHOUT_CERTIFICATE } from '../certificates/certificate.ts';
import {
  linesToDecide,
  openExceptions,
  type PeriodReport,
  totalOf,
  unexplainedOf,
  varianceOf,
} from '../figures/period-report.ts';
import { linesOfReason } from '../judge/decide-lines.ts';
import { type ComparedTotal, channelRecord } from '../judge/expected-totals.ts';
import { lostOf } from '../judge/input-findings.ts';
import type { JurisdictionTotals, StateTotals } from '../judge/period-totals.ts';
import { add, formatMoney, type Money, sum, ZERO } from '../kernel/money.ts';
import { formula, quoted, type References } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import { controlRowsOf, extraOf, leftOver } from './inputs.ts';
import { chargedCheck } from './tie-out.ts';

/** Builds the checks between the sheets of the book and those of the policy. */
export const varianceChecks = (report: PeriodReport): readonly Check[] => [
  ...tieChecks(report),
  ...policyChecks(report),
  ...readinessChecks(report),
];

/** Builds the checks between the sheets of the book, each as two formulas over different tables. */
export const tieChecks = (report: PeriodReport): readonly Check[] => [
  ...dayChecks(report),
  chargedCheck(report),
  reasonsCheck(report),
  ...jurisdictionChecks(report),
  ...serviceChecks(report),
  ...inputChecks(report),
  ...expectedChecks(report),
  ...certificateChecks(report),
];

const count = <Row>(rows: readonly Row[], pick: (row: Row) => number): number =>
  rows.reduce((total, row) => total + pick(row), 0);

/** Compares the sums of the states with those of the days, which are added up apart from them. */
const dayChecks = (report: PeriodReport): readonly Check[] =>
  (
    [
      ['C02', 'Gross', 'Amount posted', 'gross', 'amount'],
      ['C03', 'Collected', 'Tax posted', 'collected', 'tax'],
    ] as const
  ).map(([id, title, ofDay, figure, dayFigure]) => ({
    id,
    test: `${title} by state is that of all days.`,
    format: 'money',
    left: formula((at) => at.sum('By_state', title), totalOf(report, figure)),
    right: formula((at) => at.sum('Completeness', ofDay), sum(report.days.map((day) => day[dayFigure]))),
    see: 'By state',
  }));

const reasonsCheck = (report: PeriodReport): Check => ({
  id: 'C06',
  test: 'The reasons add up to collected minus expected.',
  format: 'money',
  left: formula(
    (at) => at.sum('By_reason', 'Net'),
    sum(report.reasons.flatMap(({ over, under }) => [over, under])),
  ),
  right: formula((at) => at.sum('Detail', 'Variance'), varianceOf(report)),
  see: 'Tie-out',
});

/** Checks that the service holds what was posted. */
export const serviceChecks = (report: PeriodReport): readonly Check[] => {
  const { days } = report;
  const see = 'Inputs';
  return [
    {
      id: 'C08',
      test: 'No posted sale is missing in the service, and no record there is unknown here.',
      format: 'count',
      left: formula(
        (at) => `${at.sum('Completeness', 'Missing')}+${at.sum('Completeness', 'Extra')}`,
        count(days, (day) => day.missing + extraOf(day)),
      ),
      right: 0,
      see,
    },
    {
      id: 'C09',
      test: 'The tax that the service holds is the tax that was collected.',
      format: 'money',
      left: formula(
        (at) => at.sum('Completeness', 'Tax recorded'),
        sum(days.map(({ recordedTax }) => recordedTax)),
      ),
      right: formula((at) => at.sum('Detail', 'Collected'), totalOf(report, 'collected')),
      see,
    },
  ];
};

const policyChecks = (report: PeriodReport): readonly Check[] => [
  {
    id: 'Q01',
    test: `Unexplained variance is at most ${formatMoney(report.unexplainedTolerance)}.`,
    format: 'money',
    left: unexplainedOf(report),
    right: ZERO,
    tolerance: report.unexplainedTolerance,
    see: 'Tie-out',
  },
  {
    id: 'Q02',
    test: 'No exception is open.',
    format: 'count',
    left: formula(
      (at) => at.countIfs('Exceptions', { Decision: quoted('open') }),
      openExceptions(report).length,
    ),
    right: 0,
    ...(report.exceptions.length > 0 && { see: 'Exceptions' }),
  },
];

/** Checks that no row and no cent of any file was lost or counted twice, and that every sale is of a file of Inputs. */
const inputChecks = ({ inputs, files }: PeriodReport): readonly Check[] => [
  {
    id: 'I03',
    test: 'Every file that sales of the period were read from is in Inputs.',
    format: 'count',
    left: files.filter(({ file }) => !inputs.some(({ path }) => path === file)).length,
    right: 0,
    see: 'Inputs',
  },
  {
    id: 'I01',
    test: 'No file has rows that are neither used, ignored nor rejected.',
    format: 'count',
    left: formula(
      (at) => at.countNonZero('Inputs', 'Left over'),
      inputs.filter((input) => leftOver(input) !== 0).length,
    ),
    right: 0,
    see: 'Inputs',
  },
  {
    id: 'I02',
    test: 'Every column of money comes to the same in the file and in its records.',
    format: 'count',
    left: formula(
      (at) => at.countNonZero('Control_totals', 'Difference'),
      controlRowsOf(inputs).filter((column) => lostOf(column) !== 0).length,
    ),
    right: 0,
    see: 'Inputs',
  },
];

const relievedAt = (at: References, mark: string): string =>
  at.sumIfs('Exempt_sales', 'Tax relieved', { Certificate: quoted(mark) });

/** Checks that the certificates agree with the exempt sales. */
const certificateChecks = ({ certificates }: PeriodReport): readonly Check[] => {
  const { exempt, usages } = certificates;
  const without = exempt.unsupported.relieved;
  const certified = sum(usages.map(({ relieved }) => relieved));
  const isShown = usages.length > 0 || exempt.unsupported.sales !== 0;
  return [
    {
      id: 'E01',
      test: 'The tax relieved by certificate, and that without one, is all the tax relieved on exempt sales.',
      format: 'money',
      left: formula(
        (at) =>
          `ROUND(${at.sum('Certificates', 'Tax relieved')}+${WITHOUT_CERTIFICATE.map((mark) => relievedAt(at, mark)).join('+')},2)`,
        add(certified, without),
      ),
      right: formula((at) => at.sum('Exempt_sales', 'Tax relieved'), add(exempt.certified.relieved, without)),
      ...(isShown && { see: 'Certificates' }),
    },
  ];
};

type Figure = {
  readonly title: 'Expected' | 'Collected';
  readonly ofState: (state: StateTotals) => Money;
  readonly ofLevel: (level: JurisdictionTotals) => Money;
};

const EXPECTED: Figure = {
  title: 'Expected',
  ofState: ({ expected }) => expected,
  ofLevel: ({ tax }) => tax,
};
const COLLECTED: Figure = {
  title: 'Collected',
  ofState: ({ collected }) => collected,
  ofLevel: ({ collected }) => collected,
};

/** Checks that the levels of each state add up to the state: all tax levied or collected belongs to a jurisdiction. */
export const jurisdictionChecks = (report: PeriodReport): readonly Check[] => [
  levelsCheck(
    'J01',
    'The tax expected of its jurisdictions is that of the state, in every state.',
    report,
    EXPECTED,
  ),
  levelsCheck(
    'J02',
    'What was collected for its jurisdictions is that of the state, in every state.',
    report,
    COLLECTED,
  ),
];

/** Counts the states that differ from the sum of their jurisdictions, so that differences cannot cancel out. */
const levelsCheck = (
  id: string,
  test: string,
  { states, jurisdictions }: PeriodReport,
  { title, ofState, ofLevel }: Figure,
): Check => {
  const levels = (state: string): Money =>
    sum(jurisdictions.filter((level) => level.state === state).map(ofLevel));
  return {
    id,
    test,
    format: 'count',
    left: formula(
      (at) => {
        const ofLevels = at.sumIfs('By_jurisdiction', title, { State: at.column('By_state', 'State') });
        return `SUMPRODUCT(--(${at.difference(ofLevels, at.column('By_state', title))}<>0))`;
      },
      states.filter((row) => levels(row.state) !== ofState(row)).length,
    ),
    right: 0,
    see: 'By jurisdiction',
  };
};

const FIGURE_WORDS = {
  orders: 'orders',
  refunds: 'refunds',
  gross: 'gross sales less refunds',
  tax: 'tax less what was given back',
} as const;

/** Compares the totals that the shops themselves report with the same figures of the exports, posted or not. */
export const expectedChecks = (report: PeriodReport): readonly Check[] =>
  report.comparedTotals.map((total, index): Check => {
    const { channel, figure, stated, found } = total;
    const about = {
      id: `X${String(index + 1).padStart(2, '0')}`,
      test: `The exports of ${channel} come to the ${FIGURE_WORDS[figure]} that its shop shows.`,
      tolerance: toleranceOf(report, total),
      see: 'Detail',
    };
    return figure === 'orders' || figure === 'refunds'
      ? { ...about, format: 'count', left: stated, right: found }
      : { ...about, format: 'money', left: stated as Money, right: found as Money };
  });

/** Returns the accepted difference: one that a person accepted passes. */
const toleranceOf = ({ exceptions, period }: PeriodReport, total: ComparedTotal): number => {
  const record = channelRecord(total.channel, period);
  const exception = exceptions.find(
    ({ code, origin }) => code === `expected-${total.figure}` && origin.record === record,
  );
  return exception && exception.accepted !== '' ? Math.abs(total.stated - total.found) : 0;
};

/** Builds the checks that no line of Decide is open, and that nothing beside them keeps the period from being filed. */
export const readinessChecks = (report: PeriodReport): readonly Check[] => {
  const lines = linesToDecide(report);
  const { reasons } = report.readiness;
  const apart = reasons.filter((reason) => linesOfReason(lines, reason).length === 0);
  return [
    {
      id: 'P01',
      test: 'No line of Decide in variance.xlsx is open.',
      format: 'count',
      left: reasons.length - apart.length,
      right: 0,
    },
    ...apart.map(
      ({ what }, index): Check => ({
        id: `P${String(index + 2).padStart(2, '0')}`,
        test: `Settled: ${what}`,
        format: 'count',
        left: 1,
        right: 0,
      }),
    ),
  ];
};
