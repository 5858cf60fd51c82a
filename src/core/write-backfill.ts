import { join } from 'node:path';
import { backfillBook } from '../close/report/backfill-book.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import type { StageResult } from '../runtime/pipeline.ts';
import { publishFolder } from '../runtime/publish-folder.ts';
import { backfillFolder } from './backfill-folder.ts';
import type { MonthOutcome } from './close-months.ts';

export type WrittenBackfill = { readonly folder: string; readonly files: readonly string[] };

/** Write the workbook on all months of a range into its own folder beside those of the months. */
export const writeBackfill = async (
  ports: ClosePorts,
  range: FilingPeriod,
  months: readonly MonthOutcome[],
): Promise<StageResult<WrittenBackfill>> => {
  const { writeWorkbook } = await import('../close/workbook/write-workbook.ts');
  const folder = backfillFolder(ports, range);
  const { files, changed } = await publishFolder(folder, async (staging) => {
    await writeWorkbook(
      join(staging, 'backfill.xlsx'),
      backfillBook({
        seller: ports.configuration.name,
        program: ports.program,
        service: ports.serviceId,
        range,
        months,
      }),
    );
  });
  return {
    value: { folder, files },
    summary: changed ? 'backfill.xlsx written' : 'backfill.xlsx, unchanged',
  };
};
