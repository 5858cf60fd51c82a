import { type PayList, payListOf } from '../figures/pay-list.ts';
import type { PeriodFiling } from '../figures/period-filing.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { UploadFile } from '../filing/upload-parts.ts';
import { checksSheet } from '../workbook/checks-sheet.ts';
import { type FilledSheet, filled, stacked } from '../workbook/sheet.ts';
import type { Sheet, WorkbookContent } from '../workbook/write-workbook.ts';
import { aboutLines } from './about-lines.ts';
import { type BookSheet, numbered, propertiesOf, unlessEmpty } from './book.ts';
import { readinessChecks } from './readiness-checks.ts';
import { uploadNotes } from './readiness-lines.ts';
import { filingChecks, returnsChecks, salesCheck } from './returns-checks.ts';
import { auditorList } from './sheets/auditor-list.ts';
import { JOURNAL } from './sheets/filing/journal.ts';
import { nexusSheet } from './sheets/filing/nexus.ts';
import { paySheet } from './sheets/filing/pay.ts';
import { prepaymentsSheet } from './sheets/filing/prepayments.ts';
import { returnSheet } from './sheets/filing/return-sheet.ts';
import { returnsSheet } from './sheets/filing/returns.ts';
import { rollForwardChecks, rollForwardSheet } from './sheets/filing/roll-forward.ts';
import {
  otherReturnsSheets,
  payableCheck,
  stillPayableSheet,
  takenOutSheets,
} from './sheets/filing/still-payable.ts';

/** Builds filing-summary.xlsx: the payments and returns for each registered state. */
export const filingBook = (report: PeriodReport, filing: PeriodFiling): WorkbookContent => {
  const support = unlessEmpty(
    ...rollForwardSheet(report),
    prepaymentsSheet(filing.returns.map(({ filed }) => filed)),
    nexusSheet(filing),
  );
  return {
    properties: propertiesOf(report, `Sales tax filing summary ${report.period.label}: ${report.seller}`),
    sheets: numbered('F', sheetsOf(report, filing, support.shown)),
    leftOut: support.leftOut,
  };
};

const sheetsOf = (
  report: PeriodReport,
  filing: PeriodFiling,
  support: readonly Sheet[],
): readonly BookSheet[] => {
  const returns = filing.returns.map(({ filed }) => filed);
  const pay = payListOf(report, filing);
  const checks = [
    ...filingChecks(report),
    ...returnsChecks(filing),
    payableCheck(report, filing),
    salesCheck(report, filing),
    ...rollForwardChecks(report),
    ...readinessChecks(report),
  ];
  return [
    { sheet: paySheet(report, pay), tab: 'answer' },
    { sheet: returnsSheet(report, returns, pay), tab: 'answer' },
    ...returnSheets(report, filing, pay),
    { sheet: journalSheet(report, filing, pay), tab: 'answer' },
    ...support.map((sheet): BookSheet => ({ sheet, tab: 'support' })),
    {
      sheet: stacked(checksSheet(checks, { lines: aboutLines(report) }), [auditorList(report)]),
      tab: 'answer',
    },
  ];
};

const returnSheets = (
  report: PeriodReport,
  filing: PeriodFiling,
  { now, later, preliminary }: PayList,
): readonly BookSheet[] =>
  filing.returns.flatMap((given): readonly BookSheet[] => {
    const row = [...now, ...later].find((each) => each.filed === given.filed);
    if (!row) return [];
    const uploads = filing.uploads.filter(({ state }) => state === row.key).map(withReadiness(report));
    const rates = report.oldRates.find(({ state }) => state === row.state)?.known;
    return [
      {
        sheet: returnSheet(given, row, { uploads, preliminary, rates }),
        tab: 'return',
        reference: `F2.${row.key.replaceAll(' ', '-')}`,
      },
    ];
  });

/** Builds the entries of the returns that are filed now, above the tax charged that they do not move. */
const journalSheet = (report: PeriodReport, filing: PeriodFiling, pay: PayList): FilledSheet =>
  stacked(filled(JOURNAL, filing.journal), [
    stillPayableSheet(report, filing, pay),
    ...takenOutSheets(filing),
    ...otherReturnsSheets(filing),
  ]);

/** Puts the consequences of a period that is not ready, or not over, before the other notes of an upload file. */
const withReadiness =
  (report: PeriodReport) =>
  (file: UploadFile): UploadFile => ({
    ...file,
    notes: [...uploadNotes(report, file.state), ...file.notes],
  });
