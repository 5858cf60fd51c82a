import { type PeriodFiling, shorterReturns } from '../figures/period-filing.ts';
import { type PeriodReport, totalOf, unexplainedOf } from '../figures/period-report.ts';
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
import { readinessOf } from '../judge/readiness.ts';
import { add, formatMoney, type Money, subtract, sum } from '../kernel/money.ts';
import { formula } from '../workbook/cell.ts';
import { type Check, passes } from '../workbook/checks-sheet.ts';
import { salesOnce } from './below-returns.ts';
import { serviceChecks, tieChecks } from './variance-checks.ts';

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
