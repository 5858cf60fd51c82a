import { type PeriodFiling, shorterReturns } from '../figures/period-filing.ts';
import { type PeriodReport, totalOf, unexplainedOf, varianceOf } from '../figures/period-report.ts';
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
import { isOpen } from '../judge/finding.ts';
import { lostOf } from '../judge/input-findings.ts';
import { readinessOf } from '../judge/readiness.ts';
import { add, formatMoney, type Money, subtract, sum, ZERO } from '../kernel/money.ts';
import { type Cell, formula } from '../workbook/cell.ts';
import { type Check, noneLeft, passes } from './checks-sheet.ts';
import { controlRowsOf, extraOf, leftOver } from './inputs.ts';
import { salesOnce } from './returns.ts';
import { chargedCheck } from './tie-out.ts';

/** A check of two amounts. */
const amounts = (
  id: string,
  see: string,
  test: string,
  left: Cell<'money'>,
  right: Cell<'money'>,
  tolerance: Money = ZERO,
): Check => ({
  id,
  see,
  test,
  left,
  right,
  tolerance,
});

/** Builds the checks between the sheets of the book, each as two formulas over different tables. */
export const tieChecks = (report: PeriodReport): readonly Check[] => [
  ...dayChecks(report),
  chargedCheck(report),
  amounts(
    'C06',
    'Tie-out',
    'The reasons add up to collected minus expected.',
    formula(
      (at) => at.sum('By_reason', 'Net'),
      sum(report.reasons.flatMap(({ over, under }) => [over, under])),
    ),
    formula((at) => at.sum('Detail', 'Variance'), varianceOf(report)),
  ),
  ...jurisdictionChecks(report),
  ...serviceChecks(report),
  ...inputChecks(report),
];

/** Compares the sums of the states with those of the days, which are added up apart from them. */
const dayChecks = (report: PeriodReport): readonly Check[] =>
  (
    [
      ['C02', 'Gross', 'Amount posted', 'gross', 'amount'],
      ['C03', 'Collected', 'Tax posted', 'collected', 'tax'],
    ] as const
  ).map(([id, title, ofDay, figure, dayFigure]) =>
    amounts(
      id,
      'By state',
      `${title} by state is that of all days.`,
      formula((at) => at.sum('By_state', title), totalOf(report, figure)),
      formula((at) => at.sum('Completeness', ofDay), sum(report.days.map((day) => day[dayFigure]))),
    ),
  );

/** Checks that the service holds what was posted. */
export const serviceChecks = (report: PeriodReport): readonly Check[] => {
  const { days } = report;
  return [
    noneLeft(
      'C08',
      'Inputs',
      'No posted sale is missing in the service, and no record there is unknown here.',
      days.reduce((total, day) => total + day.missing + extraOf(day), 0),
      (at) => `${at.sum('Completeness', 'Missing')}+${at.sum('Completeness', 'Extra')}`,
    ),
    amounts(
      'C09',
      'Inputs',
      'The tax that the service holds is the tax that was collected.',
      formula(
        (at) => at.sum('Completeness', 'Tax recorded'),
        sum(days.map(({ recordedTax }) => recordedTax)),
      ),
      formula((at) => at.sum('Detail', 'Collected'), totalOf(report, 'collected')),
    ),
  ];
};

/** Checks that no row and no cent of any file was lost or counted twice, and that every sale is of a file of Inputs. */
const inputChecks = ({ inputs, files }: PeriodReport): readonly Check[] => [
  noneLeft(
    'I03',
    'Inputs',
    'Every file that sales of open days were read from is in Inputs.',
    files.filter(({ file, unlocked }) => unlocked > 0 && !inputs.some(({ path }) => path === file)).length,
  ),
  noneLeft(
    'I01',
    'Inputs',
    'No file has rows that are neither used, ignored nor rejected.',
    inputs.filter((input) => leftOver(input) !== 0).length,
    (at) => at.countNonZero('Inputs', 'Left over'),
  ),
  noneLeft(
    'I02',
    'Inputs',
    'Every column of money comes to the same in the file and in its records.',
    controlRowsOf(inputs).filter((column) => lostOf(column) !== 0).length,
    (at) => at.countNonZero('Control_totals', 'Difference'),
  ),
];

/** Checks that the levels of each state add up to the state: all tax levied or collected belongs to a jurisdiction. */
export const jurisdictionChecks = ({ states, jurisdictions }: PeriodReport): readonly Check[] =>
  (
    [
      ['J01', 'expected of', 'Expected', 'expected', 'tax'],
      ['J02', 'collected for', 'Collected', 'collected', 'collected'],
    ] as const
  ).map(([id, what, title, ofState, ofLevel]) =>
    noneLeft(
      id,
      'By state',
      `The tax ${what} its jurisdictions is that of the state, in every state.`,
      states.filter((row) => {
        const levels = jurisdictions.filter(({ state }) => state === row.state);
        return sum(levels.map((level) => level[ofLevel])) !== row[ofState];
      }).length,
      // Counts the states that differ, so that differences cannot cancel out.
      (at) => {
        const ofLevels = at.sumIfs('By_jurisdiction', title, { State: at.column('By_state', 'State') });
        return `SUMPRODUCT(--(${at.difference(ofLevels, at.column('By_state', title))}<>0))`;
      },
    ),
  );

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
  const kept = total(filed, ({ discount, prepayments, credits }) =>
    sum([discount.claimed, prepayments.used, credits.used]),
  );
  const owed = total(filed, (each) => sum([amountOf(each.lines, 'tax'), feesOf(each), lateOf(each.values)]));
  const failing = uploads.flatMap(({ checks }) => checks).filter((check) => !checkPasses(check)).length;
  const others = sum(report.states.filter((state) => !hasReturn(state)).map(({ gross }) => gross));
  const amountsDue = ['On the return', 'Fees, penalty', 'Discount', 'Prepaid, credits'];
  return [
    amounts(
      'C01',
      'Returns',
      'The tax expected is that of the registered states in variance.xlsx.',
      formula(
        (at) => at.sum('Returns', 'Expected'),
        total(filed, ({ figures }) => figures.expected),
      ),
      sum(expected),
    ),
    noneLeft(
      'C03',
      'Returns',
      'Returns whose form rounding (R22) is more than rounding can be.',
      filed.filter((each) => Math.abs(each.rounding) > roundingMax(each)).length,
      (at) =>
        `SUMPRODUCT(--(ABS(${at.column('Returns', 'Form rounding')})>${at.column('Returns', 'At most')}))`,
    ),
    amounts(
      'C04',
      'Returns',
      'Amount due = tax, fees, penalty and interest less discounts, prepayments and credits (±$0.50 a rounded payment).',
      formula((at) => at.sum('Returns', 'Amount due'), total(filed, amountDue)),
      formula(
        (at) => `ROUND(${amountsDue.map((title) => at.sum('Returns', title)).join('+')},2)`,
        subtract(owed, kept),
      ),
      total(filed, paymentRoundingMax),
    ),
    amounts(
      'C06',
      'Journal',
      'The debits of the journal are its credits.',
      formula((at) => at.sum('Journal', 'Debit'), sum(journal.map(({ debit }) => debit))),
      formula((at) => at.sum('Journal', 'Credit'), sum(journal.map(({ credit }) => credit))),
    ),
    noneLeft('C07', 'Returns', 'No total of an upload file differs from the line of its return.', failing),
    amounts(
      'C10',
      'Returns',
      'Gross sales of all returns, and of states without one, are those of By state in variance.xlsx.',
      formula(
        (at) => `ROUND(${salesOnce(filed, 'Gross sales', at)}+${formatMoney(others)},2)`,
        add(
          total(once, ({ figures }) => figures.gross),
          others,
        ),
      ),
      totalOf(report, 'gross'),
    ),
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
 * Returns the failed checks of both books, as sentences without duplicates. It omits
 * the service checks while an exception for a single record is open: the exception names its place, but a check
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
