import type { FilingPeriod } from '../../kernel/period.ts';
import type { StageResult } from '../../runtime/pipeline.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { lockContent } from '../workspace/locks.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { restoreFiles } from './archived-files.ts';
import { closingOf, wholeReport } from './closing.ts';
import { type Snapshot, snapshotDigest } from './lock-evidence.ts';
import { filedDigest } from './lock-period.ts';
import { brokenLock } from './period-errors.ts';

type Filed = { readonly report: PeriodReport; readonly folder: string; readonly files: readonly string[] };

/**
 * Returns the report of a locked period as it was locked, and restores its files; `undefined` when no lock has exactly
 * this label. The lock is verified first: its digest covers everything it holds.
 *
 * @throws {TieoutError} E_LOCK_BROKEN, E_LOCKED_OUTPUT
 */
export const filedReport = async (
  workspace: Workspace,
  { label }: FilingPeriod,
  folder: string,
): Promise<StageResult<Filed> | undefined> => {
  const row = await lockContent(workspace, label);
  if (row?.state !== 'locked') return undefined;
  const snapshot = JSON.parse(row.body) as Snapshot;
  const present = { ...snapshot, sales: await filedDigest(workspace, label) };
  if (snapshotDigest(present) !== row.digest) throw brokenLock(label);
  const closing = await closingOf(workspace, label);
  if (!closing) throw brokenLock(label);
  const { files } = snapshot;
  const { count, written } = await restoreFiles(workspace, { label, folder, files });
  const how = written === 0 ? 'as locked' : `as locked, ${written} of them restored`;
  return {
    value: {
      report: await wholeReport(workspace, closing.report),
      folder,
      files: files.map(({ path }) => path),
    },
    summary: `${count} files with those of the lock, ${how}`,
  };
};
