import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilingRegistration } from '../filing/registration.ts';
import type { DetailRow } from '../reconcile/detail-row.ts';
import type { RowPages } from '../workbook/sheet.ts';
import { decided } from './decided.ts';
import { filePeriod } from './file-period.ts';
import { filingBook } from './filing-book.ts';
import type { FilingFigures } from './filing-figures.ts';
import { reportPage } from './page/report-page.ts';
import type { PeriodFiling } from './period-filing.ts';
import type { PeriodReport } from './period-report.ts';
import { remittanceOf } from './remittance.ts';
import { varianceBook } from './variance-book.ts';
import { type Rejects, writeRejects } from './write-rejects.ts';
import { writeUploads } from './write-uploads.ts';

/** Everything that the books of a period are drawn from, beside the law. */
export type BooksGiven = {
  /** What was gathered; whether the period can be filed follows here. */
  readonly gathered: PeriodReport;
  readonly registrations: readonly FilingRegistration[];
  readonly figures: FilingFigures;
  readonly rejects: readonly Rejects[];
  readonly detail: RowPages<DetailRow>;
};

/** What the books say in the end. */
export type DrawnBooks = { readonly report: PeriodReport; readonly filing: PeriodFiling };

/**
 * Write the workbooks, the page, the upload files and the reject files of a period into an empty folder. The same
 * input gives the same bytes: a close draws from the workspace, a check from the evidence.
 */
export const drawBooks = async (folder: string, given: BooksGiven): Promise<DrawnBooks> => {
  const { loadFilingLaw } = await import('../filing-law/load-filing-law.ts');
  const { writeWorkbook } = await import('../workbook/write-workbook.ts');
  const { gathered, registrations, figures, rejects, detail } = given;
  const filing = filePeriod(loadFilingLaw(), gathered, registrations, figures);
  const remittances = filing.returns.map(({ filed }) => remittanceOf(filed));
  const report = decided({ ...gathered, remittances }, filing);
  await writeWorkbook(join(folder, 'variance.xlsx'), varianceBook(report, detail));
  await writeWorkbook(join(folder, 'filing-summary.xlsx'), filingBook(report, filing));
  await writeFile(join(folder, 'report.html'), reportPage(report, filing.nexus), { mode: 0o600 });
  await writeUploads(folder, filing.uploads);
  await writeRejects(folder, rejects);
  return { report, filing };
};
