import { startOfUtcDay } from '../../kernel/calendar.ts';
import type { UploadFile } from '../filing/upload/upload-file.ts';
import { checksSheet } from '../workbook/checks-sheet.ts';
import { filled, textSheet } from '../workbook/sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import { aboutLines } from './about-lines.ts';
import { type AboutSheet, bookIndex } from './book-index.ts';
import { filingChecks, summaryRows } from './filing-checks.ts';
import type { PeriodFiling } from './period-filing.ts';
import type { PeriodReport } from './period-report.ts';
import { conclusionLine, readinessBlocks, uploadNotes } from './readiness-lines.ts';
import { returnsChecks } from './returns-checks.ts';
import { CALENDAR } from './sheets/filing/calendar.ts';
import { DEDUCTIONS, deductionRows } from './sheets/filing/deductions.ts';
import { DISCOUNTS } from './sheets/filing/discounts.ts';
import { FIGURES_SHEET, figureRows } from './sheets/filing/figures.ts';
import { NEXUS_WATCH } from './sheets/filing/nexus-watch.ts';
import { PREPAYMENTS, prepaymentRows } from './sheets/filing/prepayments.ts';
import { priorPeriodSheet } from './sheets/filing/prior-period.ts';
import { RATES, rateRows } from './sheets/filing/rates.ts';
import { returnSheet } from './sheets/filing/return-sheet.ts';
import { RETURNS } from './sheets/filing/returns.ts';
import { rollForwardChecks, rollForwardSheets } from './sheets/filing/roll-forward.ts';
import { SCHEDULES, schedulesRows } from './sheets/filing/schedules.ts';
import { JOURNAL, taxByPeriodSheet } from './sheets/filing/tax-by-period.ts';
import { UPLOAD_FILES } from './sheets/filing/upload-files.ts';
import { WHAT_IF } from './sheets/filing/what-if.ts';
import { JURISDICTIONS } from './sheets/jurisdictions.ts';
import { readinessSheet, stillOpen } from './sheets/readiness.ts';
import { SUMMARY } from './sheets/summary.ts';

/** The sheets of filing-summary.xlsx, and what each is for. The sheets of the returns say it by their titles. */
const FILING_SHEETS: readonly AboutSheet[] = [
  { sheet: 'Checks', purpose: 'Two ways to each figure, side by side, and one cell that sums them up.' },
  { sheet: 'Readiness', purpose: 'What to decide or to do before the period is filed.' },
  { sheet: 'Calendar', purpose: 'When each return and its payment are due, and why then.' },
  {
    sheet: 'Summary',
    purpose: 'From gross sales down to the tax, for each registered state.',
    control: 'Tax expected',
  },
  { sheet: 'Returns', purpose: 'What each return comes to and what is to be paid.', control: 'Due' },
  { sheet: 'Schedules', purpose: 'The parts of the returns by place, code or outlet.' },
  { sheet: 'Figures', purpose: 'What the lines of the returns are computed from.' },
  { sheet: 'Rates', purpose: 'The rates that the forms name, with their sources.' },
  {
    sheet: 'Jurisdictions',
    purpose: 'The same tax by state, county, city and special district.',
    control: 'Tax',
  },
  { sheet: 'Deductions', purpose: 'What is deducted from gross sales, and why.', control: 'Amount' },
  {
    sheet: 'Discounts',
    purpose: 'What may be kept for filing in time, and how it is worked out.',
    control: 'Claimed',
  },
  {
    sheet: 'Prepayments and credits',
    purpose: 'What was paid or credited before, used now and left.',
    control: 'Closing',
  },
  {
    sheet: 'Prior period',
    purpose: 'These returns beside the period before, and what it left over.',
    control: 'Tax now',
  },
  {
    sheet: 'Roll-forward',
    purpose:
      'The sales tax payable of each account from its opening to its closing balance, beside the ledger.',
  },
  {
    sheet: 'Roll-forward causes',
    purpose: 'Why the two differ, entry by entry, and what nothing explains.',
    control: 'Amount',
  },
  {
    sheet: 'Tax by period',
    purpose: 'The tax of this period beside that of the periods before, as a chart.',
  },
  {
    sheet: 'What-if',
    purpose: 'The same period under each remittance basis, side by side.',
    control: 'As filed',
  },
  { sheet: 'Nexus watch', purpose: 'How near the seller is to the thresholds of other states.' },
  { sheet: 'Upload files', purpose: 'The files for the portals, and what they were checked for.' },
  { sheet: 'Journal', purpose: 'The entries for the ledger.', control: 'Debit' },
];

/** filing-summary.xlsx: what is reported to each registered state. */
export const filingBook = (report: PeriodReport, filing: PeriodFiling): WorkbookContent => {
  const returns = filing.returns.map(({ filed }) => filed);
  const sheets = [
    checksSheet(
      [...filingChecks(report), ...returnsChecks(filing), ...rollForwardChecks(report.rollForward)],
      { open: stillOpen(report.readiness) },
    ),
    readinessSheet(report.readiness),
    filled(CALENDAR, filing.returns),
    filled(SUMMARY, summaryRows(report)),
    filled(RETURNS, returns),
    ...filing.returns.map(returnSheet),
    filled(SCHEDULES, schedulesRows(returns)),
    filled(FIGURES_SHEET, figureRows(returns)),
    filled(RATES, rateRows(returns)),
    filled(JURISDICTIONS, report.jurisdictions),
    filled(DEDUCTIONS, deductionRows(returns)),
    filled(DISCOUNTS, returns),
    filled(PREPAYMENTS, prepaymentRows(returns)),
    priorPeriodSheet(report, returns),
    ...rollForwardSheets(report.rollForward),
    ...taxByPeriodSheet(report),
    filled(WHAT_IF, returns),
    filled(NEXUS_WATCH, filing.nexus),
    filled(UPLOAD_FILES, filing.uploads.map(withReadiness(report))),
    filled(JOURNAL, filing.journal),
  ];
  return {
    properties: {
      title: `Sales tax filing summary ${report.period.label}: ${report.seller}`,
      creator: report.program,
      company: report.seller,
      created: startOfUtcDay(report.period.last),
    },
    sheets: [readme(report), bookIndex(sheets, FILING_SHEETS), ...sheets],
  };
};

/** What a period that is not ready means for each file comes before everything else that is said of it. */
const withReadiness =
  ({ readiness }: PeriodReport) =>
  (file: UploadFile): UploadFile => ({
    ...file,
    notes: [...uploadNotes(readiness, file.state), ...file.notes],
  });

const readme = (report: PeriodReport) =>
  textSheet({
    name: 'README',
    title: `Sales tax filing summary: ${report.seller}, ${report.period.label}`,
    blocks: [
      {
        lines: [...aboutLines(report), conclusionLine(report.readiness)],
      },
      ...readinessBlocks(report.readiness),
      { heading: 'What this workbook shows' },
      {
        paragraph:
          'For each state in which the seller is registered: when its return is due and why then, the return line by line on a sheet of its own, the discount, prepayments and credits, the files for its portal, and the entries for the ledger. Returns and Calendar list them; the Summary leads from gross sales to the tax, and the sheet Jurisdictions has the same tax by county, city and special district.',
      },
      {
        paragraph:
          'Each line of a return is a formula over the sheets Figures, Rates, Schedules, Jurisdictions, Discounts and Prepayments and credits, and says in words where it comes from. The gross, taxable, expected and collected amounts of the Summary are those of By state in variance.xlsx, which adds up every row of Detail.',
      },
      { heading: 'Limits' },
      {
        paragraph:
          'Forms, due dates, discounts and thresholds are rows of data, each with its source and the day on which it was held against it. What was not seen in a source says so: such a line is filled in, such a discount is not claimed, and such a holiday moves no date. Check these against the form before filing. Use tax on own purchases, prepayments and credits are known only as far as the configuration names them.',
      },
      {
        paragraph:
          'Rates are those of the tax content. Tax of places whose local rate it lacks is remitted as it was collected and stands in rows of its own. Codes of places are printed where the registration or the form names them.',
      },
    ],
  });
