import { startOfUtcDay } from '../../kernel/calendar.ts';
import { checksSheet } from '../workbook/checks-sheet.ts';
import { filled } from '../workbook/sheet.ts';
import { textSheet } from '../workbook/text-sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import { aboutLines } from './about-lines.ts';
import { filingChecks, summaryRows } from './filing-checks.ts';
import type { PeriodReport } from './period-report.ts';
import { JURISDICTIONS } from './sheets/jurisdictions.ts';
import { SIGN_OFF, signOffRows } from './sheets/sign-off.ts';
import { SUMMARY } from './sheets/summary.ts';

/** filing-summary.xlsx: what is reported to each registered state. */
export const filingBook = (report: PeriodReport): WorkbookContent => ({
  properties: {
    title: `Sales tax filing summary ${report.period.label}: ${report.seller}`,
    creator: report.program,
    company: report.seller,
    created: startOfUtcDay(report.period.last),
  },
  sheets: [
    readme(report),
    checksSheet(filingChecks(report)),
    filled(SUMMARY, summaryRows(report)),
    filled(JURISDICTIONS, report.jurisdictions),
    filled(SIGN_OFF, signOffRows(report.signOff)),
  ],
});

const readme = (report: PeriodReport) =>
  textSheet({
    name: 'README',
    title: `Sales tax filing summary: ${report.seller}, ${report.period.label}`,
    blocks: [
      {
        lines: aboutLines(report),
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
