import { type Money, sum, ZERO } from '../../kernel/money.ts';
import { formula } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import { partsOfState } from './parts-of-state.ts';
import type { PeriodReport } from './period-report.ts';
import type { SummaryRow } from './sheets/summary.ts';

/** One row per registered state, by its code. */
export const summaryRows = (report: PeriodReport): readonly SummaryRow[] =>
  [...report.registrations]
    .sort((left, right) => (left.state < right.state ? -1 : 1))
    .map(({ state, account }) => {
      const totals = report.states.find((row) => row.state === state);
      const taxes = report.jurisdictions.filter((row) => row.state === state);
      const taxOf = (isState: boolean): Money =>
        sum(taxes.filter(({ level }) => (level === 'state') === isState).map(({ tax }) => tax));
      return {
        state,
        account,
        gross: totals?.gross ?? ZERO,
        taxable: totals?.taxable ?? ZERO,
        stateTax: taxOf(true),
        localTax: taxOf(false),
        collected: totals?.collected ?? ZERO,
        gaps: partsOfState(report, state).gap,
      };
    });

/** Figures of variance.xlsx, to which this book must add up. */
export const filingChecks = (report: PeriodReport): readonly Check[] => {
  const rows = summaryRows(report);
  const registered = report.states.filter(({ state }) => rows.some((row) => row.state === state));
  const expected = sum(registered.map((state) => state.expected));
  return [
    {
      id: 'C01',
      test: 'State and local tax add up to the tax expected of the registered states in variance.xlsx.',
      format: 'money',
      left: formula(
        (at) => at.sum('Summary', 'Tax expected'),
        sum(rows.flatMap(({ stateTax, localTax }) => [stateTax, localTax])),
      ),
      right: expected,
      link: { sheet: 'Summary' },
    },
    {
      id: 'C02',
      test: 'The tax of all jurisdictions is the tax of the summary.',
      format: 'money',
      left: formula((at) => at.sum('Jurisdictions', 'Tax'), sum(report.jurisdictions.map(({ tax }) => tax))),
      right: formula((at) => at.sum('Summary', 'Tax expected'), expected),
      link: { sheet: 'Jurisdictions' },
    },
  ];
};
