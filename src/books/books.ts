import { periodName } from '../figures/day-words.ts';
import type { PayList } from '../figures/pay-list.ts';
import type { PeriodFiling } from '../figures/period-filing.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { startOfUtcDay } from '../kernel/calendar.ts';
import { checksSheet } from '../workbook/checks-sheet.ts';
import { type FilledSheet, filled, stacked, type Tab } from '../workbook/sheet.ts';
import type { Sheet, WorkbookContent, WorkbookProperties } from '../workbook/write-workbook.ts';
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
  auditorList,
  certificatesSheet,
  JOURNAL,
  nexusSheet,
  prepaymentsSheet,
  rollForwardChecks,
  rollForwardSheet,
} from './support.ts';
import { tieOutSheet } from './tie-out.ts';

/** A sheet of a book, and the colour of its tab. A reference is given to it unless it brings its own. */
export type BookSheet = {
  readonly sheet: Sheet;
  readonly tab: Tab;
  readonly reference?: string;
};

/** Sheets with the tables that have rows, and the names of the tables without: no table of a book is empty. */
export const unlessEmpty = (...sheets: readonly Sheet[]) => {
  const tables = sheets.flatMap((sheet) => (sheet.kind === 'table' ? [sheet, ...(sheet.below ?? [])] : []));
  return {
    shown: sheets.flatMap((sheet): readonly Sheet[] => (sheet.kind === 'table' ? withRows(sheet) : [sheet])),
    leftOut: tables.filter(isEmpty).map(({ table }) => table),
  };
};

const isEmpty = ({ count, sheet }: FilledSheet): boolean => count === 0 && sheet.empty === undefined;

const withRows = ({ below = [], ...sheet }: FilledSheet): readonly FilledSheet[] => {
  const [first, ...further] = [sheet, ...below].filter((table) => !isEmpty(table));
  if (!first) return [];
  return [further.length === 0 ? first : { ...first, below: further }];
};

/** Numbers the sheets of a book in their order: `F1`, `F2`. */
export const numbered = (prefix: string, sheets: readonly BookSheet[]): readonly Sheet[] => {
  let number = 0;
  return sheets.map(({ sheet, tab, reference = `${prefix}${++number}` }) => ({ ...sheet, tab, reference }));
};

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
  const answers = unlessEmpty(
    stacked(tieOutSheet(report, pay), [
      filled(byReason(report.reasons), report.reasons),
      checksSheet(varianceChecks(report), aboutLines(report)),
    ]),
    decideSheet(report),
    stacked(filled(byStateOf(report), stateRows(report)), [filled(BY_JURISDICTION, report.jurisdictions)]),
    detail,
  );
  // Tables of sales come after Detail: they are kept while its rows are written.
  const support = unlessEmpty(
    stacked(filled(INPUTS, report.inputs), [
      filled(CONTROL_TOTALS, controlRowsOf(report.inputs)),
      filled(COMPLETENESS, report.days),
      notPosted,
    ]),
    stacked(filled(EXCEPTIONS, exceptionRows(report)), [refunds]),
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

/** Builds filing-summary.xlsx: the payments and returns for each registered state. */
export const filingBook = (report: PeriodReport, filing: PeriodFiling, pay: PayList): WorkbookContent => {
  const checks = [...filingChecks(report, filing), ...rollForwardChecks(report), ...readinessChecks(report)];
  const journal = unlessEmpty(stacked(filled(JOURNAL, filing.journal), [nexusSheet(filing)]));
  const support = unlessEmpty(
    ...rollForwardSheet(report),
    prepaymentsSheet(filing.returns.map(({ filed }) => filed)),
  );
  return {
    properties: propertiesOf(report, `Sales tax filing summary ${report.period.label}: ${report.seller}`),
    sheets: numbered('F', [
      ...answerSheets(report, filing, pay),
      ...journal.shown.map((sheet): BookSheet => ({ sheet, tab: 'answer' })),
      ...support.shown.map((sheet): BookSheet => ({ sheet, tab: 'support' })),
      {
        sheet: stacked(checksSheet(checks, aboutLines(report).slice(0, 2)), [auditorList(report)]),
        tab: 'answer',
      },
    ]),
    leftOut: [...journal.leftOut, ...support.leftOut],
  };
};

const answerSheets = (report: PeriodReport, filing: PeriodFiling, pay: PayList): readonly BookSheet[] => [
  { sheet: paySheet(report, pay), tab: 'answer' },
  { sheet: returnsSheet(filing.returns.map(({ filed }) => filed)), tab: 'answer' },
  ...returnSheets(report, filing, pay),
];

const returnSheets = (report: PeriodReport, filing: PeriodFiling, pay: PayList): readonly BookSheet[] =>
  filing.returns.flatMap((given): readonly BookSheet[] => {
    const row = [...pay.now, ...pay.later].find((each) => each.filed === given.filed);
    if (!row) return [];
    const uploads = filing.uploads.filter(({ state }) => state === row.key);
    const reference = `F2.${row.key.replaceAll(' ', '-')}`;
    return [{ sheet: returnSheet(report, given, row, uploads), tab: 'return', reference }];
  });
