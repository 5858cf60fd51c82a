import { startOfUtcDay } from '../../kernel/calendar.ts';
import { type Money, sum, ZERO } from '../../kernel/money.ts';
import { cellOf, formula } from '../workbook/cell.ts';
import { type Check, checksSheet } from '../workbook/checks-sheet.ts';
import { filled } from '../workbook/sheet.ts';
import { textSheet } from '../workbook/text-sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import type { PeriodReport } from './period-report.ts';
import { JURISDICTIONS } from './sheets/jurisdictions.ts';
import { SUMMARY, type SummaryRow } from './sheets/summary.ts';

/** filing-summary.xlsx: what is reported to each registered state. */
export const filingBook = (report: PeriodReport): WorkbookContent => {
  const rows = summaryRows(report);
  return {
    properties: {
      title: `Sales tax filing summary ${report.period.label}: ${report.seller}`,
      creator: report.program,
      company: report.seller,
      created: startOfUtcDay(report.period.last),
    },
    sheets: [
      readme(report),
      checksSheet(checksOf(report, rows)),
      filled(SUMMARY, rows),
      filled(JURISDICTIONS, report.jurisdictions),
    ],
  };
};

const summaryRows = (report: PeriodReport): readonly SummaryRow[] =>
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
      };
    });

/** Figures of variance.xlsx, to which this book must add up. */
const checksOf = (report: PeriodReport, rows: readonly SummaryRow[]): readonly Check[] => {
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

const readme = (report: PeriodReport) =>
  textSheet({
    name: 'README',
    title: `Sales tax filing summary: ${report.seller}, ${report.period.label}`,
    blocks: [
      {
        lines: [
          { label: 'Seller', value: cellOf('text', `${report.seller} (${report.entity})`) },
          {
            label: 'Period',
            value: cellOf(
              'text',
              `${report.period.first} to ${report.period.last}, business dates in ${report.timeZone}`,
            ),
          },
          { label: 'Tax service', value: cellOf('text', report.service) },
          { label: 'Made by', value: cellOf('text', report.program) },
        ],
      },
      { heading: 'What this workbook shows' },
      {
        paragraph:
          'For each state in which the seller is registered: gross sales, what is exempt or not taxable, the taxable amount, and the tax that should have been charged, split into state and local tax. The sheet Jurisdictions has the same tax by county, city and special district.',
      },
      { heading: 'Limits' },
      {
        paragraph:
          'The sheets of the states’ own return forms, due dates and discounts are not part of this workbook yet. Prepare returns from the Summary, and check rates of places that the tax content does not fully cover.',
      },
    ],
  });
