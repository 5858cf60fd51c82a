import type { PeriodReport } from '../figures/period-report.ts';
import { checksSheet } from '../workbook/checks-sheet.ts';
import { type FilledSheet, filled, stacked } from '../workbook/sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import { aboutLines } from './about-lines.ts';
import { type BookSheet, numbered, propertiesOf, unlessEmpty } from './book.ts';
import type { SalesTables } from './detail-files.ts';
import { byReason } from './sheets/by-reason.ts';
import { byStateSheet } from './sheets/by-state.ts';
import { certificatesSheet } from './sheets/certificates.ts';
import { COMPLETENESS } from './sheets/completeness.ts';
import { CONTROL_TOTALS, controlRowsOf } from './sheets/control-totals.ts';
import { decideSheet } from './sheets/decide.ts';
import { EXCEPTIONS, exceptionRows } from './sheets/exceptions.ts';
import { INPUTS } from './sheets/inputs.ts';
import { BY_JURISDICTION } from './sheets/jurisdictions.ts';
import { tieOutSheet } from './sheets/tie-out.ts';
import { varianceChecks } from './variance-checks.ts';

/** The tables with a row for each sale or refund, or the sums of one that is too long. */
type RowTables = SalesTables & { readonly refunds: FilledSheet };

/** Builds variance.xlsx: tax charged compared with tax due, and the reasons for the difference. */
export const varianceBook = (
  report: PeriodReport,
  { detail, exempt, notPosted, refunds }: RowTables,
): WorkbookContent => {
  const answers = unlessEmpty(
    stacked(
      tieOutSheet(
        report,
        detail.sheet.columns.some(({ title }) => title === 'File and line'),
      ),
      [
        filled(byReason(report.reasons), report.reasons),
        checksSheet(varianceChecks(report), { lines: aboutLines(report) }),
      ],
    ),
    decideSheet(report),
    byStateSheet(report),
    filled(BY_JURISDICTION, report.jurisdictions),
    detail,
  );
  // Tables of sales come after Detail: they are kept while its rows are written.
  const support = unlessEmpty(
    refunds,
    stacked(filled(INPUTS, report.inputs), [
      filled(CONTROL_TOTALS, controlRowsOf(report.inputs)),
      filled(COMPLETENESS, report.days),
      notPosted,
    ]),
    filled(EXCEPTIONS, exceptionRows(report)),
    stacked(certificatesSheet(report.certificates), [exempt]),
  );
  const sheets = [
    ...answers.shown.map((sheet): BookSheet => ({ sheet, tab: 'answer' })),
    ...support.shown.map((sheet): BookSheet => ({ sheet, tab: 'support' })),
  ];
  return {
    properties: propertiesOf(report, `Sales tax variance ${report.period.label}: ${report.seller}`),
    sheets: numbered('V', sheets),
    leftOut: [...answers.leftOut, ...support.leftOut],
  };
};
