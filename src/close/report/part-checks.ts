import { subtract, sum } from '../../kernel/money.ts';
import { splitVariance, VARIANCE_PART_NAMES, VARIANCE_PARTS } from '../reconcile/variance-part.ts';
import { formula } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import { quoted } from '../workbook/references.ts';
import { type PeriodReport, totalOf } from './period-report.ts';

/** That the seller's errors, the gaps of the tax content and what is unexplained are all of the variance. */
export const partChecks = (report: PeriodReport): readonly Check[] => {
  const { reasons, impliedRates } = report;
  const parts = splitVariance(reasons);
  const gaps = impliedRates.filter(({ verdict }) => verdict === 'gap');
  const implied = reasons.filter(({ code }) => code === 'R27');
  return [
    {
      id: 'C12',
      test: 'Seller’s errors, Tieout’s gaps and unexplained add up to the variance.',
      format: 'money',
      left: formula(
        (at) => VARIANCE_PART_NAMES.map((part) => at.sum('By_state', VARIANCE_PARTS[part])).join('+'),
        sum(VARIANCE_PART_NAMES.map((part) => parts[part])),
      ),
      right: formula(
        (at) => at.sum('By_state', 'Variance'),
        subtract(totalOf(report, 'collected'), totalOf(report, 'expected')),
      ),
      link: { sheet: 'By state' },
    },
    ...(impliedRates.length === 0
      ? []
      : ([
          {
            id: 'C13',
            test: 'The gaps among the implied rates add up to reason R27.',
            format: 'money',
            left: formula(
              (at) => at.sumIfs('Implied_rates', 'Amount', { Verdict: quoted('gap') }),
              sum(gaps.map(({ amount }) => amount)),
            ),
            right: formula(
              (at) => at.sumIfs('By_reason', 'Net', { Code: quoted('R27') }),
              sum(implied.flatMap(({ over, under }) => [over, under])),
            ),
            link: { sheet: 'Implied rates' },
          },
        ] as const)),
  ];
};
