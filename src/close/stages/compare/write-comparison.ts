import { join } from 'node:path';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { publishFolder } from '../../../runtime/publish-folder.ts';
import { compareBook } from '../../report/compare-book.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { periodFolder } from '../run/period-folder.ts';
import type { Comparison } from './compare-services.ts';

export type WrittenComparison = { readonly folder: string; readonly files: readonly string[] };

/** Returns the folder of a comparison. It is beside that of the period, because it is not part of the period's pack. */
export const comparisonFolder = (ports: ClosePorts, period: FilingPeriod): string =>
  `${periodFolder(ports, period)}-compared`;

/** Write the workbook of a comparison, replacing the one before. */
export const writeComparison = async (
  ports: ClosePorts,
  period: FilingPeriod,
  comparison: Comparison,
): Promise<StageResult<WrittenComparison>> => {
  const { writeWorkbook } = await import('../../workbook/write-workbook.ts');
  const { configuration, program } = ports;
  const folder = comparisonFolder(ports, period);
  const { files, changed } = await publishFolder(folder, async (staging) => {
    await writeWorkbook(
      join(staging, 'compare.xlsx'),
      compareBook({ seller: configuration.name, program, period, ...comparison }),
    );
  });
  return { value: { folder, files }, summary: `compare.xlsx ${changed ? 'written' : 'unchanged'}` };
};
