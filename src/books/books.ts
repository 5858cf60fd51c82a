import { periodName } from '../figures/day-words.ts';
import type { PayList } from '../figures/pay-list.ts';
import type { PeriodFiling } from '../figures/period-filing.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { DetailLine } from '../judge/detail-row.ts';
import { type Draw, PER_STRATUM, sampler } from '../judge/sampling.ts';
import { startOfUtcDay } from '../kernel/calendar.ts';
import { checksSheet } from '../workbook/checks-sheet.ts';
import { defineSheet, type FilledSheet, filled, type RowPages, stacked } from '../workbook/sheet.ts';
import type { WorkbookContent, WorkbookProperties } from '../workbook/write-workbook.ts';
import { BY_JURISDICTION, byReason, byStateOf, stateRows } from './by-state.ts';
import { filingChecks, tieChecks } from './checks.ts';
import { decideSheet, EXCEPTIONS, exceptionRows } from './decide.ts';
import type { SalesTables } from './detail-files.ts';
import { COMPLETENESS, CONTROL_TOTALS, controlRowsOf, INPUTS } from './inputs.ts';
import { aboutLines, count, id, money, word, words } from './parts.ts';
import { paySheet } from './pay.ts';
import { returnSheet } from './return-sheet.ts';
import { returnsSheet } from './returns.ts';
import { certificatesSheet, JOURNAL, nexusSheet, prepaymentsSheet, rollForwardSheet } from './support.ts';
import { tieOutSheet } from './tie-out.ts';

/** Puts sheets together. Tables without rows are left out, and formulas know their names. */
export const bookOf = (sheets: readonly FilledSheet[]): Pick<WorkbookContent, 'sheets' | 'leftOut'> => ({
  sheets: sheets.flatMap((sheet): readonly FilledSheet[] => {
    const [first, ...below] = tablesOf(sheet).filter((table) => !isEmpty(table));
    return first ? [{ ...first, below }] : [];
  }),
  leftOut: sheets
    .flatMap(tablesOf)
    .filter(isEmpty)
    .map(({ table }) => table),
});

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
  return {
    properties: propertiesOf(report, `Sales tax variance ${report.period.label}: ${report.seller}`),
    ...bookOf([
      stacked(tieOutSheet(report, pay), [
        filled(byReason(report.reasons), report.reasons),
        checksSheet(tieChecks(report), aboutLines(report)),
      ]),
      decideSheet(report),
      stacked(filled(byStateOf(report), stateRows(report)), [filled(BY_JURISDICTION, report.jurisdictions)]),
      detail,
      // Tables of sales come after Detail: they are kept while its rows are written.
      stacked(filled(INPUTS, report.inputs), [
        filled(CONTROL_TOTALS, controlRowsOf(report.inputs)),
        filled(COMPLETENESS, report.days),
        notPosted,
      ]),
      stacked(filled(EXCEPTIONS, exceptionRows(report)), [refunds]),
      stacked(certificatesSheet(report.certificates), [exempt]),
    ]),
  };
};

/** Builds filing-summary.xlsx: the payments and returns for each registered state. */
export const filingBook = (report: PeriodReport, filing: PeriodFiling, pay: PayList): WorkbookContent => {
  const returns = filing.returns.map(({ filed }) => filed);
  const rows = [...pay.now, ...pay.later];
  return {
    properties: propertiesOf(report, `Sales tax filing summary ${report.period.label}: ${report.seller}`),
    ...bookOf([
      paySheet(report, pay),
      returnsSheet(returns),
      ...filing.returns.flatMap((given) => {
        const row = rows.find(({ filed }) => filed === given.filed);
        return row ? [returnSheet(report, given, row, filing.uploads)] : [];
      }),
      stacked(filled(JOURNAL, filing.journal), [nexusSheet(filing)]),
      ...rollForwardSheet(report),
      prepaymentsSheet(returns),
      checksSheet(filingChecks(report, filing), aboutLines(report).slice(0, 2)),
    ]),
  };
};

/** Builds working-papers.xlsx, which a close writes where it is asked to: rows drawn by chance for testing. */
export const workingPapers = async (
  report: PeriodReport,
  detail: RowPages<DetailLine>,
): Promise<WorkbookContent> => {
  // The configuration has no seed, so that no one can influence the sample.
  const seed = `${report.entity} ${report.period.label}`;
  const sample = sampler(seed);
  for await (const page of detail) page.forEach(sample.add);
  return {
    properties: propertiesOf(report, `Working papers ${report.period.label}: ${report.seller}`),
    ...bookOf([filled(samplingSheet(seed), sample.drawn())]),
  };
};

/** The sheet of randomly drawn rows for an auditor, with the parameters that reproduce the draw. */
const samplingSheet = (seed: string) =>
  defineSheet<Draw>({
    name: 'Sampling',
    title: 'Sampling: rows of Detail drawn for testing',
    note: `Each posted row has a random number, the first 12 hexadecimal digits of SHA-256 of seed, line feed and key (channel/kind/transaction). Drawn are the smallest numbers of each stratum.\nSeed: ${seed}. Rows per stratum: ${PER_STRATUM}.`,
    freeze: { columns: 1 },
    columns: [
      id('Transaction', 16, ({ row }) => row.id),
      words('Stratum', 22, ({ stratum }) => stratum),
      count('Population', 11, ({ population }) => population),
      money('Population amount', 16, ({ populationAmount }) => populationAmount, {
        note: 'Sum of gross amounts without their signs.',
      }),
      count('Draw', 7, ({ order }) => order),
      word('Kind', 8, ({ row }) => row.kind),
      word('State', 7, ({ row }) => row.state),
      money('Gross', 13, ({ row }) => row.gross),
      money('Collected', 12, ({ row }) => row.collected),
      money('Expected', 12, ({ row }) => row.expected),
      words('Channel', 12, ({ row }) => row.channel),
      words('File', 24, ({ row }) => row.file),
      count('Line', 8, ({ row }) => row.line),
    ],
  });
