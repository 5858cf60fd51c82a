import { periodName } from '../figures/day-words.ts';
import type { PayList } from '../figures/pay-list.ts';
import type { PeriodFiling } from '../figures/period-filing.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { startOfUtcDay } from '../kernel/calendar.ts';
import { type FilledSheet, filled, type SheetTables } from '../workbook/sheet.ts';
import type { WorkbookContent, WorkbookProperties } from '../workbook/write-workbook.ts';
import { BY_JURISDICTION, byReason, byStateOf, stateRows } from './by-state.ts';
import { filingChecks, tieChecks } from './checks.ts';
import { checksSheet } from './checks-sheet.ts';
import { decideSheet, EXCEPTIONS, exceptionRows } from './decide.ts';
import type { SalesTables } from './detail-files.ts';
import { COMPLETENESS, CONTROL_TOTALS, controlRowsOf, INPUTS } from './inputs.ts';
import { aboutLines } from './parts.ts';
import { paySheet } from './pay.ts';
import { returnSheet } from './return-sheet.ts';
import { returnsSheet } from './returns.ts';
import { certificatesSheet, JOURNAL, nexusSheet, prepaymentsSheet, rollForwardSheet } from './support.ts';
import { tieOutSheet } from './tie-out.ts';

/** Puts sheets together. Tables without rows are left out, and formulas know their names. */
export const bookOf = (sheets: readonly SheetTables[]): Pick<WorkbookContent, 'sheets' | 'leftOut'> => ({
  sheets: sheets.flatMap((tables): readonly SheetTables[] => {
    const [first, ...below] = tables.filter((table) => !isEmpty(table));
    return first ? [[first, ...below]] : [];
  }),
  leftOut: sheets
    .flat()
    .filter(isEmpty)
    .map(({ table }) => table),
});

const isEmpty = ({ count, sheet }: FilledSheet): boolean => count === 0 && sheet.empty === undefined;

/** Builds the document properties of a workbook. */
export const propertiesOf = (
  { period, seller, program }: PeriodReport,
  what: string,
): WorkbookProperties => ({
  title: `${what} ${period.label}: ${seller}`,
  subject: periodName(period.label),
  creator: program,
  company: seller,
  created: startOfUtcDay(period.last),
});

/** The tables with a row for each sale or refund, or the sums of one that is too long. */
type RowTables = SalesTables & { readonly refunds: FilledSheet };

/** Builds variance.xlsx: tax charged compared with tax due, and the reasons for the difference. */
export const varianceBook = (
  report: PeriodReport,
  pay: PayList,
  { detail, exempt, notPosted, refunds }: RowTables,
): WorkbookContent => ({
  properties: propertiesOf(report, 'Sales tax variance'),
  ...bookOf([
    [
      tieOutSheet(report, pay),
      filled(byReason(report.reasons), report.reasons),
      checksSheet(tieChecks(report), aboutLines(report)),
    ],
    [decideSheet(report)],
    [filled(byStateOf(report), stateRows(report)), filled(BY_JURISDICTION, report.jurisdictions)],
    [detail],
    // Tables of sales come after Detail: they are kept while its rows are written.
    [
      filled(INPUTS, report.inputs),
      filled(CONTROL_TOTALS, controlRowsOf(report.inputs)),
      filled(COMPLETENESS, report.days),
      notPosted,
    ],
    [filled(EXCEPTIONS, exceptionRows(report)), refunds],
    [certificatesSheet(report.certificates), exempt],
  ]),
});

/** Builds filing-summary.xlsx: the payments and returns for each registered state. */
export const filingBook = (report: PeriodReport, filing: PeriodFiling, pay: PayList): WorkbookContent => {
  const returns = filing.returns.map(({ filed }) => filed);
  const rows = [...pay.now, ...pay.later];
  return {
    properties: propertiesOf(report, 'Sales tax filing summary'),
    ...bookOf([
      paySheet(report, pay),
      returnsSheet(returns),
      ...filing.returns.flatMap((given) =>
        rows.filter(({ filed }) => filed === given.filed).map((row) => returnSheet(report, given, row)),
      ),
      [filled(JOURNAL, filing.journal), nexusSheet(filing)],
      ...rollForwardSheet(report),
      [prepaymentsSheet(returns)],
      [checksSheet(filingChecks(report, filing), aboutLines(report).slice(0, 2))],
    ]),
  };
};
