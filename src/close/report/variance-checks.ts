import { add, formatMoney, type Money, sum, ZERO } from '../../kernel/money.ts';
import { WITHOUT_CERTIFICATE } from '../certificates/sale-exemption.ts';
import {
  openExceptions,
  type PeriodReport,
  totalOf,
  unexplainedOf,
  varianceOf,
} from '../figures/period-report.ts';
import { lostOf } from '../reconcile/input-exceptions.ts';
import { formula } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import { quoted, type References } from '../workbook/references.ts';
import { expectedChecks, jurisdictionChecks } from './level-checks.ts';
import { readinessChecks } from './readiness-checks.ts';
import { extraOf } from './sheets/completeness.ts';
import { controlRowsOf } from './sheets/control-totals.ts';
import { recordedFormula } from './sheets/detail.ts';
import { leftOver } from './sheets/inputs.ts';

/** Builds the checks between the sheets of the book and those of the policy. */
export const varianceChecks = (report: PeriodReport): readonly Check[] => [
  ...tieChecks(report),
  ...policyChecks(report),
  ...readinessChecks(report),
];

/** Builds the checks between the sheets of the book, each as two formulas over different tables. */
export const tieChecks = (report: PeriodReport): readonly Check[] => [
  rowsCheck(report),
  ...FIGURES.map((title, index) => stateCheck(report, title, index)),
  reasonsCheck(report),
  ...jurisdictionChecks(report),
  ...serviceChecks(report),
  ...inputChecks(report),
  ...expectedChecks(report),
  ...certificateChecks(report),
];

const FIGURES = ['Gross', 'Collected', 'Expected', 'Recorded'] as const;

const count = <Row>(rows: readonly Row[], pick: (row: Row) => number): number =>
  rows.reduce((total, row) => total + pick(row), 0);

const postedSum = (title: string, result: Money) =>
  formula((at) => (title === 'Recorded' ? recordedFormula(at) : at.sum('Detail', title)), result);

const rowsCheck = ({ inputs }: PeriodReport): Check => ({
  id: 'C01',
  test: 'Every row of the files read is used, ignored or rejected.',
  format: 'count',
  left: formula(
    (at) => at.sum('Inputs', 'Rows'),
    count(inputs, ({ rows }) => rows),
  ),
  right: formula(
    (at) => `${at.sum('Inputs', 'Used')}+${at.sum('Inputs', 'Ignored')}+${at.sum('Inputs', 'Rejected')}`,
    count(inputs, ({ used, ignored, rejected }) => used + ignored + rejected),
  ),
  link: { sheet: 'Inputs' },
});

const stateCheck = (report: PeriodReport, title: (typeof FIGURES)[number], index: number): Check => {
  const result = totalOf(report, title.toLowerCase() as 'gross');
  return {
    id: `C0${index + 2}`,
    test: `${title} by state adds up to Detail.`,
    format: 'money',
    left: formula((at) => at.sum('By_state', title), result),
    right: postedSum(title, result),
    link: { sheet: 'By state' },
  };
};

const reasonsCheck = (report: PeriodReport): Check => ({
  id: 'C06',
  test: 'The reasons add up to collected minus expected.',
  format: 'money',
  left: formula(
    (at) => at.sum('By_reason', 'Net'),
    sum(report.reasons.flatMap(({ over, under }) => [over, under])),
  ),
  right: formula((at) => at.sum('Detail', 'Variance'), varianceOf(report)),
  link: { sheet: 'Tie-out' },
});

/** Checks that the service holds what was posted. */
export const serviceChecks = (report: PeriodReport): readonly Check[] => {
  const { days } = report;
  const link = { sheet: 'Inputs' };
  return [
    {
      id: 'C07',
      test: 'The service holds as many records as were posted.',
      format: 'count',
      left: formula(
        (at) => at.sum('Completeness', 'Recorded'),
        count(days, ({ recorded }) => recorded),
      ),
      right: formula(
        (at) => at.sum('Completeness', 'Posted'),
        count(days, ({ posted }) => posted),
      ),
      link,
    },
    {
      id: 'C08',
      test: 'No posted sale is missing in the service, and no record there is unknown here.',
      format: 'count',
      left: formula(
        (at) => `${at.sum('Completeness', 'Missing')}+${at.sum('Completeness', 'Extra')}`,
        count(days, (day) => day.missing + extraOf(day)),
      ),
      right: 0,
      link,
    },
    {
      id: 'C09',
      test: 'The tax that the service holds is the tax that was collected.',
      format: 'money',
      left: formula(
        (at) => at.sum('Completeness', 'Tax recorded'),
        sum(days.map(({ recordedTax }) => recordedTax)),
      ),
      right: postedSum('Collected', totalOf(report, 'collected')),
      link,
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
    link: { sheet: 'Tie-out' },
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
    ...(report.exceptions.length > 0 && { link: { sheet: 'Exceptions' } }),
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
    link: { sheet: 'Inputs' },
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
    link: { sheet: 'Inputs' },
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
    link: { sheet: 'Inputs' },
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
      ...(isShown && { link: { sheet: 'Certificates' } }),
    },
  ];
};
