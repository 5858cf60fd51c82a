import { sum } from '../../kernel/money.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { formula } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';

/** Checks that this book agrees with the figures of variance.xlsx. */
export const filingChecks = (report: PeriodReport): readonly Check[] => {
  const hasReturn = ({ state }: { readonly state: string }): boolean =>
    report.remittances.some((remittance) => remittance.state === state);
  const expected = sum(report.states.filter(hasReturn).map((state) => state.expected));
  return [
    {
      id: 'C01',
      test: 'The tax expected of the returns is that of the registered states in variance.xlsx.',
      format: 'money',
      left: formula((at) => at.sum('Returns', 'Expected'), expected),
      right: expected,
      link: { sheet: 'Returns' },
    },
  ];
};
