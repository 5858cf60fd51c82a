import { WITHOUT_CERTIFICATE } from '../certificates/certificate.ts';
import { type PeriodFiling, shorterReturns } from '../figures/period-filing.ts';
import {
  linesToDecide,
  openExceptions,
  type PeriodReport,
  totalOf,
  unexplainedOf,
  varianceOf,
} from '../figures/period-report.ts';
import { paymentRoundingMax, roundingMax } from '../filing/return-notes.ts';
import {
  amountDue,
  amountOf,
  checkPasses,
  feesOf,
  isLocal,
  lateOf,
  type TaxReturn,
} from '../filing/tax-return.ts';
import { linesOfReason } from '../judge/decide-lines.ts';
import { type ComparedTotal, channelRecord } from '../judge/expected-totals.ts';
import { isOpen } from '../judge/finding.ts';
import { lostOf } from '../judge/input-findings.ts';
import { readinessOf } from '../judge/readiness.ts';
import { add, formatMoney, type Money, subtract, sum, ZERO } from '../kernel/money.ts';
import { formula, quoted, type References } from '../workbook/cell.ts';
import { type Check, passes } from '../workbook/checks-sheet.ts';
import { salesOnce } from './below-returns.ts';
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

/** Checks that the levels of each state add up to the state: all tax levied or collected belongs to a jurisdiction. */
export const jurisdictionChecks = ({ states, jurisdictions }: PeriodReport): readonly Check[] =>
  (
    [
      ['J01', 'expected of', 'Expected', 'expected', 'tax'],
      ['J02', 'collected for', 'Collected', 'collected', 'collected'],
    ] as const
  ).map(([id, what, title, ofState, ofLevel]) => ({
    id,
    test: `The tax ${what} its jurisdictions is that of the state, in every state.`,
    format: 'count',
    left: formula(
      // Counts the states that differ, so that differences cannot cancel out.
      (at) => {
        const ofLevels = at.sumIfs('By_jurisdiction', title, { State: at.column('By_state', 'State') });
        return `SUMPRODUCT(--(${at.difference(ofLevels, at.column('By_state', title))}<>0))`;
      },
      states.filter((row) => {
        const levels = jurisdictions.filter(({ state }) => state === row.state);
        return sum(levels.map((level) => level[ofLevel])) !== row[ofState];
      }).length,
    ),
    right: 0,
    see: 'By state',
  }));

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

const total = (returns: readonly TaxReturn[], amount: (filed: TaxReturn) => Money): Money =>
  sum(returns.map(amount));

/** Builds the checks of the returns and everything computed from them, and with the figures of variance.xlsx. */
export const filingChecks = (
  report: PeriodReport,
  { returns, uploads, journal }: PeriodFiling,
): readonly Check[] => {
  const filed = returns.map((each) => each.filed);
  const once = filed.filter((each) => !isLocal(each));
  const hasReturn = ({ state }: { readonly state: string }): boolean =>
    filed.some(({ figures }) => figures.state === state);
  const expected = report.states.filter(hasReturn).map((state) => state.expected);
  const tax = total(filed, ({ lines }) => amountOf(lines, 'tax'));
  const kept = total(filed, ({ discount, prepayments, credits }) =>
    sum([discount.claimed, prepayments.used, credits.used]),
  );
  const failing = uploads.flatMap(({ checks }) => checks).filter((check) => !checkPasses(check)).length;
  const others = sum(report.states.filter((state) => !hasReturn(state)).map(({ gross }) => gross));
  const see = 'Returns';
  return [
    {
      id: 'C01',
      test: 'The tax expected is that of the registered states in variance.xlsx.',
      format: 'money',
      left: formula(
        (at) => at.sum('Returns', 'Expected'),
        total(filed, ({ figures }) => figures.expected),
      ),
      right: sum(expected),
      see,
    },
    {
      id: 'C03',
      test: 'Returns whose form rounding (R22) is more than rounding can be.',
      format: 'count',
      left: formula(
        (at) =>
          `SUMPRODUCT(--(ABS(${at.column('Returns', 'Form rounding')})>${at.column('Returns', 'At most')}))`,
        filed.filter((each) => Math.abs(each.rounding) > roundingMax(each)).length,
      ),
      right: 0,
      see,
    },
    {
      id: 'C04',
      test: 'Amount due = tax, fees, penalty and interest less discounts, prepayments and credits (±$0.50 a rounded payment).',
      format: 'money',
      left: formula((at) => at.sum('Returns', 'Amount due'), total(filed, amountDue)),
      right: formula(
        (at) =>
          `ROUND(${['On the return', 'Fees, penalty', 'Discount', 'Prepaid, credits'].map((title) => at.sum('Returns', title)).join('+')},2)`,
        subtract(sum([tax, total(filed, feesOf), total(filed, ({ values }) => lateOf(values))]), kept),
      ),
      tolerance: total(filed, paymentRoundingMax),
      see,
    },
    {
      id: 'C06',
      test: 'The debits of the journal are its credits.',
      format: 'money',
      left: formula((at) => at.sum('Journal', 'Debit'), sum(journal.map(({ debit }) => debit))),
      right: formula((at) => at.sum('Journal', 'Credit'), sum(journal.map(({ credit }) => credit))),
      see: 'Journal',
    },
    {
      id: 'C07',
      test: 'No total of an upload file differs from the line of its return.',
      format: 'count',
      left: failing,
      right: 0,
      see,
    },
    {
      id: 'C10',
      test: 'Gross sales of all returns, and of states without one, are those of By state in variance.xlsx.',
      format: 'money',
      left: formula(
        (at) => `ROUND(${salesOnce(filed, 'Gross sales', at)}+${formatMoney(others)},2)`,
        add(
          total(once, ({ figures }) => figures.gross),
          others,
        ),
      ),
      right: totalOf(report, 'gross'),
      see,
    },
  ];
};

/**
 * Returns the report with the decision on whether the period can be filed; everything that shows it reads it from here.
 */
export const decided = (report: PeriodReport, filing: PeriodFiling): PeriodReport => ({
  ...report,
  readiness: readinessOf({
    period: report.period,
    exceptions: report.exceptions,
    unexplained: unexplainedOf(report),
    tolerance: report.unexplainedTolerance,
    shorterReturns: shorterReturns(filing),
    failedTests: failedTests(report, filing),
  }),
});

/** Exceptions for single records that the service lacks, has in addition or has with other content. */
const OF_RECORDS = new Set(['R19', 'R20', 'recorded-not-posted', 'recorded-otherwise', 'listed-not-shown']);

/**
 * Returns the failed checks of both books, as sentences without duplicates. It omits checks that the policy decides,
 * and the service checks while an exception for a single record is open: the exception names its place, but a check
 * concerns every return.
 */
const failedTests = (report: PeriodReport, filing: PeriodFiling): readonly string[] => {
  const areRecordsOpen = report.exceptions.some((each) => isOpen(each) && OF_RECORDS.has(each.code));
  const said = new Set(areRecordsOpen ? serviceChecks(report).map(({ test }) => test) : []);
  const tests = [...tieChecks(report), ...filingChecks(report, filing)]
    .filter((check) => !passes(check))
    .map(({ test }) => test);
  return [...new Set(tests)].filter((test) => !said.has(test));
};
