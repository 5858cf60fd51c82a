import { periodName } from '../figures/day-words.ts';
import type { PayList } from '../figures/pay-list.ts';
import type { PeriodFiling } from '../figures/period-filing.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { startOfUtcDay } from '../kernel/calendar.ts';
import { checksSheet } from '../workbook/checks-sheet.ts';
import { type FilledSheet, filled, stacked, type Tab } from '../workbook/sheet.ts';
import type { WorkbookContent, WorkbookProperties } from '../workbook/write-workbook.ts';
import { BY_JURISDICTION, byReason, byStateOf, stateRows } from './by-state.ts';
import { filingChecks, readinessChecks, varianceChecks } from './checks.ts';
import { decideSheet, EXCEPTIONS, exceptionRows } from './decide.ts';
import type { SalesTables } from './detail-files.ts';
import { COMPLETENESS, CONTROL_TOTALS, controlRowsOf, INPUTS } from './inputs.ts';
import { aboutLines } from './parts.ts';
import { paySheet } from './pay.ts';
import { returnSheet } from './return-sheet.ts';
import { returnsSheet } from './returns.ts';
import {
  certificatesSheet,
  JOURNAL,
  nexusSheet,
  prepaymentsSheet,
  rollForwardChecks,
  rollForwardSheet,
} from './support.ts';
import { tieOutSheet } from './tie-out.ts';

/** A sheet of a book, and the colour of its tab. A reference is given to it unless it brings its own. */
type BookSheet = {
  readonly sheet: FilledSheet;
  readonly tab: Tab;
  readonly reference?: string;
};

/**
 * Numbers the sheets of a book in their order: `F1`, `F2`. Tables without rows are left out, and formulas know their names.
 */
export const bookOf = (
  prefix: string,
  sheets: readonly BookSheet[],
): Pick<WorkbookContent, 'sheets' | 'leftOut'> => {
  let number = 0;
  return {
    sheets: sheets.flatMap(({ sheet, tab, reference }): readonly FilledSheet[] => {
      const [first, ...below] = tablesOf(sheet).filter((table) => !isEmpty(table));
      return first ? [{ ...first, below, tab, reference: reference ?? `${prefix}${++number}` }] : [];
    }),
    leftOut: sheets.flatMap(({ sheet }) =>
      tablesOf(sheet)
        .filter(isEmpty)
        .map(({ table }) => table),
    ),
  };
};

const tablesOf = ({ below = [], ...sheet }: FilledSheet): readonly FilledSheet[] => [sheet, ...below];

const isEmpty = ({ count, sheet }: FilledSheet): boolean => count === 0 && sheet.empty === undefined;

/** Builds the document properties of a workbook. */
export const propertiesOf = (
  { period, seller, program }: Pick<PeriodReport, 'period' | 'seller' | 'program'>,
  title: string,
): WorkbookProperties => ({
  title,
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
): WorkbookContent => {
  const answers = [
    stacked(tieOutSheet(report, pay), [
      filled(byReason(report.reasons), report.reasons),
      checksSheet(varianceChecks(report), aboutLines(report)),
    ]),
    decideSheet(report),
    stacked(filled(byStateOf(report), stateRows(report)), [filled(BY_JURISDICTION, report.jurisdictions)]),
    detail,
  ];
  // Tables of sales come after Detail: they are kept while its rows are written.
  const support = [
    stacked(filled(INPUTS, report.inputs), [
      filled(CONTROL_TOTALS, controlRowsOf(report.inputs)),
      filled(COMPLETENESS, report.days),
      notPosted,
    ]),
    stacked(filled(EXCEPTIONS, exceptionRows(report)), [refunds]),
    stacked(certificatesSheet(report.certificates), [exempt]),
  ];
  return {
    properties: propertiesOf(report, `Sales tax variance ${report.period.label}: ${report.seller}`),
    ...bookOf('V', [...answers.map(asAnswer), ...support.map(asSupport)]),
  };
};

const asAnswer = (sheet: FilledSheet): BookSheet => ({ sheet, tab: 'answer' });
const asSupport = (sheet: FilledSheet): BookSheet => ({ sheet, tab: 'support' });

/** Builds filing-summary.xlsx: the payments and returns for each registered state. */
export const filingBook = (report: PeriodReport, filing: PeriodFiling, pay: PayList): WorkbookContent => {
  const checks = [...filingChecks(report, filing), ...rollForwardChecks(report), ...readinessChecks(report)];
  const returns = filing.returns.map(({ filed }) => filed);
  return {
    properties: propertiesOf(report, `Sales tax filing summary ${report.period.label}: ${report.seller}`),
    ...bookOf('F', [
      asAnswer(paySheet(report, pay)),
      asAnswer(returnsSheet(returns)),
      ...returnSheets(report, filing, pay),
      asAnswer(stacked(filled(JOURNAL, filing.journal), [nexusSheet(filing)])),
      ...rollForwardSheet(report).map(asSupport),
      asSupport(prepaymentsSheet(returns)),
      asAnswer(checksSheet(checks, aboutLines(report).slice(0, 2))),
    ]),
  };
};

const returnSheets = (report: PeriodReport, filing: PeriodFiling, pay: PayList): readonly BookSheet[] =>
  filing.returns.flatMap((given): readonly BookSheet[] => {
    const row = [...pay.now, ...pay.later].find((each) => each.filed === given.filed);
    if (!row) return [];
    const uploads = filing.uploads.filter(({ state }) => state === row.key);
    const reference = `F2.${row.key.replaceAll(' ', '-')}`;
    return [{ sheet: returnSheet(report, given, row, uploads), tab: 'return', reference }];
  });
