import { join } from 'node:path';
import { TieoutError } from '../../kernel/errors.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { StageResult } from '../../runtime/pipeline.ts';
import { publishFolder } from '../../runtime/publish-folder.ts';
import { contentDigestOf } from '../evidence/manifest.ts';
import { recordClosing } from '../periods/closing.ts';
import { filedReport } from '../periods/filed-report.ts';
import { locked } from '../periods/period-errors.ts';
import type { DetailRow } from '../reconcile/detail-row.ts';
import { filingBook } from '../report/filing-book.ts';
import type { PeriodReport } from '../report/period-report.ts';
import { returnsChecks } from '../report/returns-checks.ts';
import { varianceBook } from '../report/variance-book.ts';
import { writeRejects } from '../report/write-rejects.ts';
import { writeUploads } from '../report/write-uploads.ts';
import { passes } from '../workbook/checks-sheet.ts';
import { signaturesUnder } from '../workspace/approvals.ts';
import type { ClosePorts } from './close-ports.ts';
import { detailedSales } from './detail-rows.ts';
import { filePeriod } from './file-period.ts';
import { gatherReport } from './gather-report.ts';
import { periodFolder } from './period-folder.ts';
import { rejectsOf } from './rejects-of.ts';
import { keepForTrend } from './trend-of.ts';
import { writeLogs, writeManifest } from './write-evidence.ts';

export type WrittenReport = {
  readonly report: PeriodReport;
  readonly folder: string;
  readonly files: readonly string[];
};

/**
 * Write the workbooks and the evidence of the period. They appear under their final name together, when all of them
 * are complete. Signatures under exactly this content are shown; those under another are not. What is locked is never
 * written anew: it stands as it was locked.
 *
 * @throws {TieoutError} E_PACK_STALE when the content is not the one that was asked for, E_PERIOD_LOCKED when it is
 * asked for and locked
 */
export const writeReport = async (
  ports: ClosePorts,
  period: FilingPeriod,
  onlyContent?: string,
): Promise<StageResult<WrittenReport>> => {
  const folder = periodFolder(ports, period);
  const filed = await filedReport(ports.workspace, period, folder);
  if (filed && onlyContent !== undefined) throw locked(period.label);
  if (filed) return filed;
  const { writeWorkbook } = await import('../workbook/write-workbook.ts');
  const { report: found, content: madeFrom, filing: figures } = await gatherReport(ports, period);
  const filing = await filePeriod(ports, found, figures);
  const gathered = { ...found, returnsAgree: returnsChecks(filing).every(passes) };
  let report = gathered;
  const { files, changed } = await publishFolder(folder, async (staging) => {
    const content = await writeLogs(ports, period, gathered, staging);
    const contentDigest = contentDigestOf(content);
    if (onlyContent !== undefined && contentDigest !== onlyContent) throw stale(folder);
    const signatures = await signaturesUnder(ports.workspace, period.label, contentDigest);
    report = { ...gathered, signOff: { contentDigest, signatures } };
    await writeWorkbook(
      join(staging, 'variance.xlsx'),
      varianceBook(report, () => detailRows(ports, period)),
    );
    await writeWorkbook(join(staging, 'filing-summary.xlsx'), filingBook(report, filing));
    await writeUploads(staging, filing.uploads);
    await writeRejects(staging, await rejectsOf(ports.workspace, period));
    await writeManifest(staging, content, signatures);
  });
  await recordClosing(ports, { report, content: madeFrom, folder, files });
  await keepForTrend(ports.workspace, period, report.states);
  return {
    value: { report, folder, files },
    summary: changed ? `${files.length} files written` : `${files.length} files, unchanged`,
  };
};

const stale = (folder: string): TieoutError =>
  new TieoutError({
    code: 'E_PACK_STALE',
    recovery: 'fix-input',
    message: `${folder} is not what the workspace would write now: something has changed since it was closed`,
    nextStep: 'Close the period again, look at what changed, and then sign',
  });

async function* detailRows(ports: ClosePorts, period: FilingPeriod): AsyncGenerator<DetailRow> {
  for await (const { row } of detailedSales(ports.workspace, period)) yield row;
}
