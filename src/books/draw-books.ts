import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilingFigures } from '../figures/filing-figures.ts';
import { payListOf } from '../figures/pay-list.ts';
import { filePeriod, type PeriodFiling } from '../figures/period-filing.ts';
import { linesToDecide, type PeriodReport } from '../figures/period-report.ts';
import { remittanceOf } from '../figures/remittance.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import type { UploadFile } from '../filing/upload-files.ts';
import type { DetailLine } from '../judge/detail-row.ts';
import type { RefundLink } from '../judge/refund-link.ts';
import { type Draw, PER_STRATUM, sampler } from '../judge/sampling.ts';
import { type CountedPages, defineSheet, filled, type RowPages } from '../workbook/sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import { bookOf, filingBook, propertiesOf, varianceBook } from './books.ts';
import { decided } from './checks.ts';
import { refundsSheet, salesTables } from './detail-files.ts';
import { openItemsText, type Rejects, writeRejects } from './files-to-fill-in.ts';
import { count, id, money, word, words } from './parts.ts';
import { reportPage } from './report-page.ts';

/** The input of a period's books, besides the law. */
export type BooksGiven = {
  /** The gathered report; whether the period can be filed is decided from it here. */
  readonly gathered: PeriodReport;
  readonly registrations: readonly FilingRegistration[];
  readonly figures: FilingFigures;
  readonly rejects: readonly Rejects[];
  /** Returns the rows of Detail; the working papers read them once more. */
  readonly detail: () => RowPages<DetailLine>;
  readonly refunds: CountedPages<RefundLink>;
};

/** The report with its decision, and the filing, as drawn in the books. */
export type DrawnBooks = {
  readonly report: PeriodReport;
  readonly filing: PeriodFiling;
};

/**
 * Writes the workbooks, the page, the upload files and the reject files of a period into an empty folder. The same
 * input produces the same bytes: a close draws them, and so does a check from the evidence.
 */
export const drawBooks = async (folder: string, given: BooksGiven): Promise<DrawnBooks> => {
  const { writeWorkbook } = await import('../workbook/write-workbook.ts');
  const { gathered, registrations, figures, rejects, detail, refunds } = given;
  const filing = filePeriod(gathered, registrations, figures);
  const remittances = filing.returns.map(remittanceOf);
  const report = decided({ ...gathered, remittances }, filing);
  const pay = payListOf(report, filing);
  const sales = await salesTables(folder, report, detail());
  const refundRows = await refundsSheet(folder, report, refunds);
  await writeWorkbook(
    join(folder, 'variance.xlsx'),
    varianceBook(report, pay, { ...sales, refunds: refundRows }),
  );
  await writeWorkbook(join(folder, 'filing-summary.xlsx'), filingBook(report, filing, pay));
  if (report.workingPapers)
    await writeWorkbook(join(folder, 'working-papers.xlsx'), await workingPapers(report, detail()));
  await writeFile(join(folder, 'report.html'), reportPage(report, filing, pay), { mode: 0o600 });
  const lines = linesToDecide(report);
  if (lines.length > 0)
    await writeFile(join(folder, 'open-items.csv'), openItemsText(lines), { mode: 0o600 });
  await writeUploads(folder, filing.uploads);
  await writeRejects(folder, rejects);
  return { report, filing };
};

/** Writes the files for the states' portals into the folder `upload`, if there are any. */
const writeUploads = async (folder: string, files: readonly UploadFile[]): Promise<void> => {
  if (files.length === 0) return;
  const uploads = join(folder, 'upload');
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  for (const { name, text } of files) await writeFile(join(uploads, name), text, { mode: 0o600 });
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
      money('Population amount', 16, ({ populationAmount }) => populationAmount),
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

/** Builds working-papers.xlsx, which a close writes where it is asked to: rows drawn by chance for testing. */
const workingPapers = async (
  report: PeriodReport,
  detail: RowPages<DetailLine>,
): Promise<WorkbookContent> => {
  // The configuration has no seed, so that no one can influence the sample.
  const seed = `${report.entity} ${report.period.label}`;
  const sample = sampler(seed);
  for await (const page of detail) page.forEach(sample.add);
  return {
    properties: propertiesOf(report, 'Working papers'),
    ...bookOf([[filled(samplingSheet(seed), sample.drawn())]]),
  };
};
