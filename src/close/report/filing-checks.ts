import { sum } from '../../kernel/money.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { formula } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import { quoted } from '../workbook/references.ts';
import { NO_RETURN } from './sheets/jurisdictions.ts';

/** Checks that this book agrees with the figures of variance.xlsx. */
export const filingChecks = (report: PeriodReport): readonly Check[] => {
  const hasReturn = ({ state }: { readonly state: string }): boolean =>
    report.remittances.some((remittance) => remittance.state === state);
  const expected = sum(report.states.filter(hasReturn).map((state) => state.expected));
  const levied = sum(report.jurisdictions.filter(hasReturn).map(({ tax }) => tax));
  return [
    {
      id: 'C01',
      test: 'The tax expected of the returns is that of the registered states in variance.xlsx.',
      format: 'money',
      left: formula((at) => at.sum('Returns', 'Expected'), expected),
      right: expected,
      link: { sheet: 'Returns' },
    },
    {
      id: 'C02',
      test: 'The tax of all jurisdictions with a return is the tax expected of the returns.',
      format: 'money',
      left: formula(
        (at) =>
          `${at.sum('Jurisdictions', 'Tax')}-${at.sumIfs('Jurisdictions', 'Tax', { Return: quoted(NO_RETURN) })}`,
        levied,
      ),
      right: formula((at) => at.sum('Returns', 'Expected'), expected),
      link: { sheet: 'Jurisdictions' },
    },
  ];
};
