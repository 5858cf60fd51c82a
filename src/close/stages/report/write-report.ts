import { DefectError, TieoutError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { publishFolder } from '../../../runtime/publish-folder.ts';
import { settingParts, workParts } from '../../configuration/parts.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import {
  areFilesIntact,
  type Closing,
  closingOf,
  exceptionsOfClosing,
  exportsDigest,
  recordClosing,
  wholeReport,
  workspaceParts,
} from '../../periods/closing.ts';
import { filedReport } from '../../periods/filed-report.ts';
import { locked } from '../../periods/period-errors.ts';
import { refuseUnreadForms } from '../../published/forms.ts';
import { type Signature, signaturesUnder } from '../../workspace/signatures.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { periodFolder } from '../run/period-folder.ts';
import { earlyDayAfter, overPart } from '../run/running-period.ts';
import { changesInParts, changesText, gatheredFrom, mayHaveChanged } from './pack-inputs.ts';
import { type DrawnReport, renderPack } from './render-pack.ts';
import { keepForTrend } from './trend-of.ts';

export type WrittenReport = {
  readonly report: PeriodReport;
  readonly folder: string;
  readonly files: readonly string[];
  /** Signatures that became void because the content changed; `undefined` when there are none. */
  readonly voided?: VoidedSignatures;
};

/** Signatures of the content that was published before, and what has changed since. */
export type VoidedSignatures = { readonly signatures: readonly Signature[]; readonly why: string };

/**
 * Write the workbooks and the evidence of the period. They appear under their final name together, after all of them
 * are complete. If the published files and all their inputs are unchanged, nothing is written. A locked period is never
 * written again: its files stay as they were locked.
 *
 * @throws {TieoutError} E_DECISION when somebody filled in a file there that the configuration does not name,
 * E_PACK_STALE when the content is not the one in `onlyContent`, E_PERIOD_LOCKED when `onlyContent` is given and the
 * period is locked
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
  const accept = async (contentDigest: string): Promise<void> => {
    if (onlyContent === undefined || contentDigest === onlyContent) return;
    throw stale(folder, last && (await changesText(ports, last)));
  };
  const stands = last !== undefined && (await areFilesIntact(last, folder));
  if (!stands && last?.folder === folder) await refuseUnread(ports, last, folder);
  const hasChanged = stands && (arePapersToChange(ports, last) || (await mayHaveChanged(ports, last)));
  if (!stands || hasChanged) {
    const madeEarly =
      onlyContent === undefined
        ? await dayOfBooks(ports, period, { last, hasChanged })
        : last?.report.madeEarly;
    return publish(ports, period, last, { accept, madeEarly });
  }
  await accept(last.report.signOff.contentDigest);
  const report = await wholeReport(ports.workspace, last.report);
  return {
    value: { report, folder, files: last.files.map(({ path }) => path) },
    summary: filesText(last.files.length, 'unchanged'),
  };
};

/** Whether working papers are asked for and were not written, or the other way round. */
const arePapersToChange = ({ workingPapers }: ClosePorts, { report }: Closing): boolean =>
  workingPapers !== undefined && workingPapers !== (report.sampling !== undefined);

/**
 * Returns the day of the books of a period that is not over. As long as nothing has changed, it is that of the last
 * close, so that the same books are written again.
 */
const dayOfBooks = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { last, hasChanged }: { readonly last: Closing | undefined; readonly hasChanged: boolean },
): Promise<PeriodReport['madeEarly']> => {
  const today = earlyDayAfter(ports, period, last);
  if (today === undefined || last === undefined || hasChanged) return today;
  return (await mayHaveChanged(ports, last)) ? today : last.report.madeEarly;
};

const publish = async (
  ports: ClosePorts,
  period: FilingPeriod,
  last: Closing | undefined,
  how: Parameters<typeof renderPack>[3],
): Promise<StageResult<WrittenReport>> => {
  // Only this thread renders the books.
  await ports.threads?.rest();
  const folder = periodFolder(ports, period);
  let drawn: DrawnReport | undefined;
  const { files, changed } = await publishFolder(folder, async (staging) => {
    drawn = await renderPack(ports, period, staging, how);
  });
  if (!drawn) throw new DefectError(`${folder} was published and not drawn`);
  const { gathered, report, kept, logDigests } = drawn;
  const { workspace } = ports;
  await keepForTrend(workspace, period, kept);
  const { figures, beside, stated } = gathered;
  const exports = await exportsDigest(workspace);
  const known = { ...workParts(ports), ...logDigests, exports, stated, figures, beside };
  const { before, signatures } = workspaceParts(workspace, period);
  const parts = {
    ...known,
    ...settingParts(ports.configuration),
    workspace: await gatheredFrom(ports, period),
    over: overPart(how.madeEarly),
    before: await before(),
    takenOver: JSON.stringify(gathered.takenOver),
    signatures: await signatures(),
  };
  const voided = last && (await voidedBy(workspace, last, { report, parts }));
  // This is the last step, because it tells the next close that everything is stored.
  await recordClosing(workspace, { report, parts, folder, files });
  return {
    value: { report, folder, files, ...(voided && { voided }) },
    summary: filesText(files.length, changed ? 'written' : 'unchanged'),
  };
};

/** Counts all files of the folder, including those of signatures and of a lock. */
const filesText = (count: number, what: 'written' | 'unchanged'): string =>
  `${count} files in the folder, ${what}`;

const voidedBy = async (
  workspace: Workspace,
  last: Closing,
  { report, parts }: Pick<Closing, 'report' | 'parts'>,
): Promise<VoidedSignatures | undefined> => {
  const signed = last.report.signOff.contentDigest;
  if (signed === report.signOff.contentDigest) return undefined;
  const signatures = await signaturesUnder(workspace, report.period.label, signed);
  return signatures.length === 0 ? undefined : { signatures, why: await changesInParts(last, parts) };
};

const stale = (folder: string, changed = 'it was never closed'): TieoutError =>
  new TieoutError({
    code: 'E_PACK_STALE',
    message: `${folder} is not what the workspace would write now: ${changed}`,
    nextStep: 'Close the period again, look at what changed, and then sign',
  });

/** @throws {TieoutError} E_DECISION when the folder contains a decision that was not read */
const refuseUnread = (
  { configuration, workspace }: ClosePorts,
  { files, period }: Closing,
  folder: string,
): Promise<void> =>
  refuseUnreadForms(folder, files, async () => {
    const exceptions = await exceptionsOfClosing(workspace, period.label);
    return [...exceptions.flatMap(({ decision }) => decision ?? []), ...configuration.decided.decisions];
  });
