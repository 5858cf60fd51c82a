import { DefectError, TieoutError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { publishFolder } from '../../../runtime/publish-folder.ts';
import { recordClosing } from '../../periods/closing.ts';
import { filedReport } from '../../periods/filed-report.ts';
import { locked } from '../../periods/period-errors.ts';
import type { PeriodReport } from '../../report/period-report.ts';
import type { ClosePorts } from '../close-ports.ts';
import { periodFolder } from '../period-folder.ts';
import { type DrawnReport, drawReport } from './draw-report.ts';
import { keepForTrend } from './trend-of.ts';

export type WrittenReport = {
  readonly report: PeriodReport;
  readonly folder: string;
  readonly files: readonly string[];
};

/**
 * Write the workbooks and the evidence of the period. They appear under their final name together, when all of them
 * are complete. What is locked is never written anew: it stands as it was locked.
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
  let drawn: DrawnReport | undefined;
  const { files, changed } = await publishFolder(folder, async (staging) => {
    drawn = await drawReport(ports, period, staging, (contentDigest) => {
      if (onlyContent !== undefined && contentDigest !== onlyContent) throw stale(folder);
    });
  });
  if (!drawn) throw new DefectError(`${folder} was published and not drawn`);
  const { report, basis, kept } = drawn;
  await recordClosing(ports, { report, basis, folder, files });
  await keepForTrend(ports.workspace, period, kept);
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
