import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf, type Json } from '../../kernel/digest.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { type SetDigest, setDigest } from '../../kernel/set-digest.ts';
import { batchesOf } from '../../runtime/batches.ts';
import { folderDifferences } from '../../runtime/folder-differences.ts';
import { sha256OfFile } from '../../runtime/publish-folder.ts';
import type { WorkPart } from '../configuration/parts.ts';
import type { LogName } from '../evidence/logs.ts';
import type { ClosedReport, PeriodReport } from '../figures/period-report.ts';
import { type DetailedSale, detailedSales, figuresText } from '../period-sales/detailed-sales.ts';
import type { Exception } from '../reconcile/exceptions.ts';
import type { ChannelSetAside } from '../report/write-rejects.ts';
import { closedPeriod, closingExceptions, keepClosing, readClosing } from '../workspace/closings.ts';
import { loadDigests } from '../workspace/loads.ts';
import { signaturesOf } from '../workspace/signatures.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { lastVersionsBefore } from './last-version.ts';
import { setAsidesOf } from './rejects-of.ts';

/** An output file by its path below the period's folder. */
export type OutputFile = { readonly path: string; readonly sha256: string; readonly bytes: number };

/**
 * The inputs that the files of a period are made from: what the close worked with; the exports as they were read, what
 * they state of the period, the figures of its sales, and what counts beside these; whether the period was over; the lines of each log, and the
 * state of the workspace that they were gathered from; the period before, and what its returns take over; and the
 * signatures of both periods.
 */
type ClosingPart =
  | WorkPart
  | LogName
  | 'exports'
  | 'stated'
  | 'figures'
  | 'beside'
  | 'over'
  | 'before'
  | 'takenOver'
  | 'signatures'
  | 'workspace';

/** The inputs that a closing is compared with after every close. */
export type SeenPart = 'exports' | 'stated' | 'takenOver';

/** The files and the report of the last close of a period, with the inputs that they were made from. */
export type Closing = {
  readonly period: FilingPeriod;
  readonly folder: string;
  readonly parts: Parts<ClosingPart>;
  readonly isClean: boolean;
  readonly files: readonly OutputFile[];
  readonly report: ClosedReport;
};

/** Record what a close has written, so that a lock can check it. */
export const recordClosing = async (
  workspace: Workspace,
  written: {
    readonly report: PeriodReport;
    readonly parts: Parts<ClosingPart>;
    readonly folder: string;
    readonly files: readonly string[];
  },
): Promise<void> => {
  const { parts, folder } = written;
  const { exceptions, ...report } = written.report;
  const files: OutputFile[] = [];
  for (const path of written.files) {
    const place = join(folder, path);
    files.push({ path, sha256: await sha256OfFile(place), bytes: (await stat(place)).size });
  }
  const { exports, stated, takenOver } = parts;
  const row = {
    period: report.period.label,
    first: report.period.first,
    last: report.period.last,
    folder,
    clean: report.readiness.ready ? 1 : 0,
    files: JSON.stringify(files),
    report: JSON.stringify(report),
    parts: JSON.stringify(parts),
    seen: JSON.stringify({ exports, stated, takenOver } satisfies Parts<SeenPart>),
  };
  await workspace.together((within) => keepClosing(within, row, exceptionTexts(exceptions)));
};

function* exceptionTexts(exceptions: readonly Exception[]): Generator<string> {
  for (const page of batchesOf(exceptions, EXCEPTIONS_PER_PAGE)) yield JSON.stringify(page);
}

const EXCEPTIONS_PER_PAGE = 500;

/** Returns the exceptions of the last close of a period. */
export const exceptionsOfClosing = async (
  workspace: Workspace,
  label: string,
): Promise<readonly Exception[]> => {
  const exceptions: Exception[] = [];
  for await (const { body } of closingExceptions(workspace, label))
    for (const exception of JSON.parse(body) as Exception[]) exceptions.push(exception);
  return exceptions;
};

/** Returns the report of the last close of a period with its exceptions. */
export const wholeReport = async (workspace: Workspace, report: ClosedReport): Promise<PeriodReport> => ({
  ...report,
  exceptions: await exceptionsOfClosing(workspace, report.period.label),
});

/** Returns the last close of the last version of the period before this one; `undefined` when that was never closed. */
export const closingBefore = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<Closing | undefined> => {
  const [before] = await lastVersionsBefore(workspace, period, 1);
  return before && closingOf(workspace, before.label);
};

/** Returns the last close of a period; `undefined` when it was never closed. */
export const closingOf = async (workspace: Workspace, label: string): Promise<Closing | undefined> => {
  const row = await readClosing(workspace, label);
  return (
    row && {
      period: closedPeriod(row),
      folder: row.folder,
      parts: JSON.parse(row.parts) as Parts<ClosingPart>,
      isClean: row.clean === 1,
      files: JSON.parse(row.files) as OutputFile[],
      report: JSON.parse(row.report) as ClosedReport,
    }
  );
};

/** Whether a folder holds exactly the files that a closing wrote there, byte for byte. */
export const areFilesIntact = async (closing: Closing, folder: string): Promise<boolean> =>
  closing.folder === folder && (await folderDifferences(folder, closing.files).next()).done === true;

/** Digests of the current inputs of a period's files, as far as the workspace contains them. */
export const workspaceParts = (workspace: Workspace, period: FilingPeriod) => ({
  figures: () => presentFigures(workspace, period),
  before: async () => (await closingBefore(workspace, period))?.report.signOff.contentDigest ?? '',
  signatures: async () => {
    const before = await closingBefore(workspace, period);
    const labels = [period.label, ...(before ? [before.period.label] : [])];
    return digestOf((await Promise.all(labels.map((label) => signaturesOf(workspace, label)))) as Json);
  },
});

/** Returns the digest of the exports of all channels as they were last read. */
export const exportsDigest = async (workspace: Workspace): Promise<string> =>
  digestOf(await loadDigests(workspace));

/** Adds sales one by one to a single digest, so that memory use does not grow with their number. */
type SalesDigest = {
  readonly add: (sale: { readonly key: string; readonly digest: string; readonly figures: string }) => void;
  readonly count: () => number;
  readonly hex: () => string;
};

export const salesDigest = (): SalesDigest => {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add: ({ key, digest, figures }) => {
      count += 1;
      hash.update(`${JSON.stringify([key, digest, figures])}\n`);
    },
    count: () => count,
    hex: () => hash.digest('hex'),
  };
};

/** Returns the text of a sale with its figures that goes into the digest of the workbooks' inputs. */
export const figuredText = (detailed: DetailedSale): string =>
  JSON.stringify([detailed.sale.key, detailed.digest, figuresText(detailed)]);

/**
 * Returns the digest of the inputs of a period's workbooks: its sales with their figures, and the records set aside.
 *
 * @param sales the digest of the `figuredText` of all sales
 */
export const figuresDigest = (sales: SetDigest, asides: readonly ChannelSetAside[]): string => {
  const hash = createHash('sha256').update(sales.hex());
  for (const { channel, origin, outcome, reason, businessDate } of asides)
    hash.update(`${JSON.stringify([channel, origin.record, outcome, reason.code, businessDate])}\n`);
  return hash.digest('hex');
};

/**
 * Returns the digest of what counts in a report beside its sales: errors, late items and the balances of the seller's accounts. Files
 * and lines are left out, because a newer export of the same sales has others.
 */
export const besideDigest = ({
  exceptions,
  late,
  ledger,
}: Pick<PeriodReport, 'exceptions' | 'late' | 'ledger'>): string => {
  const errors = exceptions.filter(({ severity }) => severity === 'error');
  return digestOf({
    errors: errors.map(({ origin: _, ...error }) => plainJson(error)),
    late: late.map(({ file: _, line: __, ...line }) => plainJson(line)),
    ledger: plainJson(ledger?.accounts ?? []),
  });
};

const plainJson = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Returns the digest of the sales and of what is set aside for the period as the workspace has it now. */
const presentFigures = async (workspace: Workspace, period: FilingPeriod): Promise<string> => {
  const sales = setDigest();
  for await (const detailed of detailedSales(workspace, period)) sales.add(figuredText(detailed));
  return figuresDigest(sales, await setAsidesOf(workspace, period));
};
