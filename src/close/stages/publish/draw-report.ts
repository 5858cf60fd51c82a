import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { contentDigestOf } from '../../evidence/manifest.ts';
import { rejectsOf } from '../../periods/rejects-of.ts';
import { decided } from '../../report/decided.ts';
import { filingBook } from '../../report/filing-book.ts';
import type { KeptState } from '../../report/kept-state.ts';
import { keptStates } from '../../report/kept-states.ts';
import { reportPage } from '../../report/page/report-page.ts';
import type { PeriodReport } from '../../report/period-report.ts';
import { remittanceOf } from '../../report/remittance.ts';
import { varianceBook } from '../../report/variance-book.ts';
import { writeRejects } from '../../report/write-rejects.ts';
import { writeUploads } from '../../report/write-uploads.ts';
import { signaturesUnder } from '../../workspace/signatures.ts';
import type { ClosePorts } from '../close-ports.ts';
import { detailRows } from './detail-rows.ts';
import type { LogDigests } from './drawn-from.ts';
import { filePeriod } from './file-period.ts';
import { type GatheredReport, gatherReport } from './gather-report.ts';
import { manifestContentOf, withLogs, writeManifest } from './write-evidence.ts';

/** What the files of a period say, what it was gathered from, and what is kept of it for the periods that follow. */
export type DrawnReport = {
  readonly gathered: GatheredReport;
  readonly report: PeriodReport;
  readonly kept: readonly KeptState[];
  readonly logDigests: LogDigests;
};

/**
 * Write every file of a period into an empty folder, from the workspace alone: the same workspace gives the same
 * bytes. Signatures under exactly this content are shown; those under another are not. Whatever this takes belongs
 * into `drawnFrom`, or a change of it would go unseen.
 *
 * @param accept is told the digest of the content before the workbooks are written, and may refuse it
 */
export const drawReport = async (
  ports: ClosePorts,
  period: FilingPeriod,
  folder: string,
  accept: (contentDigest: string) => void = () => {},
): Promise<DrawnReport> => {
  const { writeWorkbook } = await import('../../workbook/write-workbook.ts');
  const { result: gathered, ...written } = await withLogs(folder, (logs) =>
    gatherReport(ports, period, logs),
  );
  const filing = await filePeriod(ports, gathered.report, gathered.filing);
  const remittances = filing.returns.map(({ filed }) => remittanceOf(filed));
  const unsigned = decided({ ...gathered.report, remittances }, filing);
  const content = await manifestContentOf(ports, period, unsigned, written.logs);
  const contentDigest = contentDigestOf(content);
  accept(contentDigest);
  const signatures = await signaturesUnder(ports.workspace, period.label, contentDigest);
  const report = { ...unsigned, signOff: { contentDigest, signatures } };
  await writeWorkbook(join(folder, 'variance.xlsx'), varianceBook(report, await detailRows(ports, period)));
  await writeWorkbook(join(folder, 'filing-summary.xlsx'), filingBook(report, filing));
  const page = reportPage(report, filing.nexus);
  await writeFile(join(folder, 'report.html'), page, { mode: 0o600 });
  await writeUploads(folder, filing.uploads);
  await writeRejects(folder, await rejectsOf(ports.workspace, period));
  await writeManifest(ports, folder, content, signatures);
  const kept = keptStates(report, gathered.filing, filing);
  return { gathered, report, kept, logDigests: written.logDigests };
};
