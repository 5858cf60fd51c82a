import { join } from 'node:path';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { StageResult } from '../../runtime/pipeline.ts';
import { publishFolder } from '../../runtime/publish-folder.ts';
import type { DetailRow } from '../reconcile/detail-row.ts';
import { filingBook } from '../report/filing-book.ts';
import type { PeriodReport } from '../report/period-report.ts';
import { varianceBook } from '../report/variance-book.ts';
import { writeRejects } from '../report/write-rejects.ts';
import type { ClosePorts } from './close-ports.ts';
import { detailedSales } from './detail-rows.ts';
import { gatherReport } from './gather-report.ts';
import { periodFolder } from './period-folder.ts';
import { rejectsOf } from './rejects-of.ts';
import { writeLogs, writeManifest } from './write-evidence.ts';

export type WrittenReport = {
  readonly report: PeriodReport;
  readonly folder: string;
  readonly files: readonly string[];
};

/** Write the workbooks of the period. They appear under their final name together, when all of them are complete. */
export const writeReport = async (
  ports: ClosePorts,
  period: FilingPeriod,
): Promise<StageResult<WrittenReport>> => {
  const { writeWorkbook } = await import('../workbook/write-workbook.ts');
  const report = await gatherReport(ports, period);
  const folder = periodFolder(ports, period);
  const { files, changed } = await publishFolder(folder, async (staging) => {
    await writeWorkbook(
      join(staging, 'variance.xlsx'),
      varianceBook(report, () => detailRows(ports, period)),
    );
    await writeWorkbook(join(staging, 'filing-summary.xlsx'), filingBook(report));
    await writeRejects(staging, await rejectsOf(ports.workspace, period));
    await writeManifest(staging, await writeLogs(ports, period, report, staging), []);
  });
  return {
    value: { report, folder, files },
    summary: changed ? `${files.length} files written` : `${files.length} files, unchanged`,
  };
};

async function* detailRows(ports: ClosePorts, period: FilingPeriod): AsyncGenerator<DetailRow> {
  for await (const { row } of detailedSales(ports.workspace, period)) yield row;
}
