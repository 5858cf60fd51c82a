import { DefectError, TieoutError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { publishFolder } from '../../../runtime/publish-folder.ts';
import { changedSince } from '../../periods/changed-since.ts';
import { type Closing, closingOf, isStanding, recordClosing } from '../../periods/closing.ts';
import { filedReport } from '../../periods/filed-report.ts';
import { locked } from '../../periods/period-errors.ts';
import type { PeriodReport } from '../../report/period-report.ts';
import type { ClosePorts } from '../close-ports.ts';
import { periodFolder } from '../period-folder.ts';
import { type DrawnReport, drawReport } from './draw-report.ts';
import { drawnFrom, logDigester } from './drawn-from.ts';
import { gatherReport } from './gather-report.ts';
import { keepForTrend } from './trend-of.ts';

export type WrittenReport = {
  readonly report: PeriodReport;
  readonly folder: string;
  readonly files: readonly string[];
};

/**
 * Write the workbooks and the evidence of the period. They appear under their final name together, when all of them
 * are complete. What is published and would come out the same is left as it is: the files, and what they would be
 * drawn from, are proved to be those of the last time. What is locked is never written anew: it stands as it was
 * locked.
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
  const last = await closingOf(ports.workspace, period.label);
  const accept = (contentDigest: string): void => {
    if (onlyContent === undefined || contentDigest === onlyContent) return;
    throw stale(folder, last && changedSince(last, ports));
  };
  const standing = await standingClosing(ports, period, last);
  if (standing) accept(standing.report.signOff.contentDigest);
  return standing ? unchanged(standing) : publish(ports, period, accept);
};

/** The last closing, when it was drawn from the same and every one of its files stands, with none beside them. */
const standingClosing = async (
  ports: ClosePorts,
  period: FilingPeriod,
  closing: Closing | undefined,
): Promise<Closing | undefined> => {
  if (closing?.folder !== periodFolder(ports, period) || !(await isStanding(closing))) return undefined;
  const logs = logDigester();
  await gatherReport(ports, period, logs);
  const digest = await drawnFrom(ports, period, logs.digests());
  return closing.drawnFrom === digest ? closing : undefined;
};

const unchanged = ({ report, folder, files }: Closing): StageResult<WrittenReport> => ({
  value: { report, folder, files: files.map(({ path }) => path) },
  summary: `${files.length} files, unchanged`,
});

const publish = async (
  ports: ClosePorts,
  period: FilingPeriod,
  accept: (contentDigest: string) => void,
): Promise<StageResult<WrittenReport>> => {
  const folder = periodFolder(ports, period);
  let drawn: DrawnReport | undefined;
  const { files, changed } = await publishFolder(folder, async (staging) => {
    drawn = await drawReport(ports, period, staging, accept);
  });
  if (!drawn) throw new DefectError(`${folder} was published and not drawn`);
  const { gathered, report, kept, logDigests } = drawn;
  const digest = await drawnFrom(ports, period, logDigests);
  await keepForTrend(ports.workspace, period, kept);
  // Last of all, because the next close takes it for the word that everything was kept.
  const { basis, stated } = gathered;
  await recordClosing(ports, { report, basis, stated, folder, files, drawnFrom: digest });
  return {
    value: { report, folder, files },
    summary: changed ? `${files.length} files written` : `${files.length} files, unchanged`,
  };
};

const stale = (folder: string, changed = ''): TieoutError =>
  new TieoutError({
    code: 'E_PACK_STALE',
    recovery: 'fix-input',
    message: `${folder} is not what the workspace would write now: ${changed || 'something has changed since it was closed'}`,
    nextStep: 'Close the period again, look at what changed, and then sign',
  });
