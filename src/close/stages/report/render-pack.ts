import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { filesBelow, sha256OfFile } from '../../../runtime/publish-folder.ts';
import { configurationParts } from '../../configuration/parts.ts';
import { logPiece, openLog } from '../../evidence/log-file.ts';
import { type EvidenceLogs, LOG_NAMES, type LogName, logPath } from '../../evidence/logs.ts';
import {
  contentDigestOf,
  type LogFile,
  MANIFEST_PATH,
  type Manifest,
  type ManifestContent,
  manifestText,
  type NamedFile,
} from '../../evidence/manifest.ts';
import { leavesOf, reportFigures } from '../../evidence/manifest-content.ts';
import { signatureFiles } from '../../evidence/signature-files.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import type { PriorPeriodState } from '../../figures/prior-period-states.ts';
import { salesOf } from '../../period-sales/sales-of.ts';
import { closingBefore } from '../../periods/closing.ts';
import type { DetailLine } from '../../reconcile/detail-row.ts';
import { readinessFigures } from '../../reconcile/readiness.ts';
import { drawBooks } from '../../report/draw-books.ts';
import { signaturesUnder } from '../../workspace/signatures.ts';
import { detailLinesOf } from '../book-pages/book-page.ts';
import { derivationOf } from '../book-pages/derivation-of.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { type GatheredReport, gatherReport } from './gather-report.ts';
import type { LogDigests } from './pack-inputs.ts';

/** The report of a period, its inputs, and the state that is kept for later periods. */
export type DrawnReport = {
  readonly gathered: GatheredReport;
  readonly report: PeriodReport;
  readonly kept: readonly PriorPeriodState[];
  readonly logDigests: LogDigests;
};

/**
 * Write every file of a period into an empty folder, from the workspace alone: the same workspace gives the same bytes.
 * Signatures of the period are in the manifest only if they are of exactly this content. Every input of this function
 * must be listed in `DRAWN_FROM`, or a change of it would go unnoticed.
 *
 * @param madeEarly the day of the books, if the period is not over
 * @param accept gets the digest of the content before the manifest is written, and may refuse it by throwing an error
 */
export const renderPack = async (
  ports: ClosePorts,
  period: FilingPeriod,
  folder: string,
  {
    madeEarly,
    accept,
  }: {
    readonly madeEarly: PeriodReport['madeEarly'];
    readonly accept?: (contentDigest: string) => Promise<void>;
  },
): Promise<DrawnReport> => {
  const { result: gathered, ...written } = await withLogs(folder, (logs) =>
    gatherReport(ports, period, logs, madeEarly),
  );
  const { report: undecided, registrations, filing: figures, rejects } = gathered;
  const detail = () => detailRows(ports, period);
  const books = await drawBooks(folder, {
    ...{ gathered: undecided, registrations, figures, rejects, detail, refunds: gathered.refunds },
  });
  const leaves = leavesOf(books, figures);
  const given = { report: books.report, leaves, previous: await signedBefore(ports, period) };
  const content = await manifestContentOf(ports, folder, given, written.logs);
  const contentDigest = contentDigestOf(content);
  await accept?.(contentDigest);
  await writeManifest(ports, folder, content);
  const report = { ...books.report, signOff: { contentDigest } };
  return { gathered, report, kept: leaves.kept, logDigests: written.logDigests };
};

/** Yields the rows of Detail, one page of sales at a time. */
async function* detailRows(ports: ClosePorts, period: FilingPeriod): AsyncGenerator<readonly DetailLine[]> {
  for await (const page of salesOf(ports.workspace, period)) yield detailLinesOf(ports, page);
}

/** The files of the logs of a period, and their digests. */
type WrittenLogs = { readonly logs: LogFile[]; readonly logDigests: LogDigests };

/** Writes the logs of a period into a folder. They are closed afterwards, even if `work` fails. */
export const withLogs = async <Result>(
  staging: string,
  work: (logs: EvidenceLogs) => Promise<Result>,
): Promise<{ readonly result: Result } & WrittenLogs> => {
  await mkdir(join(staging, dirname(MANIFEST_PATH)), { recursive: true, mode: 0o700 });
  const open = LOG_NAMES.map((name) => ({ name, log: openLog(join(staging, logPath(name))) }));
  try {
    const result = await work({
      write: async (pieces) => {
        for (const { name, log } of open) await log.write(pieces[name] ?? NO_LINES);
      },
    });
    const logs: LogFile[] = [];
    const logDigests: Partial<Record<LogName, string>> = {};
    for (const { name, log } of open) {
      const { piecesSha256, ...file } = await log.close();
      logs.push({ path: logPath(name), ...file });
      logDigests[name] = piecesSha256;
    }
    return { result, logs, logDigests: logDigests as LogDigests };
  } finally {
    for (const { log } of open) await log.discard();
  }
};

const NO_LINES = logPiece([]);

type Described = Pick<ManifestContent, 'leaves' | 'previous' | 'readings'> & {
  readonly report: PeriodReport;
};

/** Returns the content of the manifest of a period, after all other files are written. */
export const manifestContentOf = async (
  ports: ClosePorts,
  staging: string,
  { report, ...others }: Described,
  logs: LogFile[],
): Promise<ManifestContent> => {
  const { shipFrom, providers } = derivationOf(ports);
  return {
    ...reportFigures(report),
    log: 1,
    build: ports.programDigest,
    configuration: configurationParts(ports.configuration).configuration,
    derivation: { shipFrom, providers },
    readiness: readinessFigures(report.readiness),
    ...others,
    logs,
    outputs: await outputsOf(staging, logs),
  };
};

const outputsOf = async (staging: string, logs: readonly LogFile[]): Promise<NamedFile[]> => {
  const named = new Set(logs.map(({ path }) => path));
  const outputs: NamedFile[] = [];
  for (const path of await filesBelow(staging)) {
    if (named.has(path)) continue;
    const file = join(staging, path);
    outputs.push({ path, bytes: (await stat(file)).size, sha256: await sha256OfFile(file) });
  }
  return outputs;
};

/** Writes the manifest and the signatures of its content. No file may be added to the folder after this. */
const writeManifest = async (
  { workspace }: ClosePorts,
  staging: string,
  content: ManifestContent,
): Promise<void> => {
  const { period, previous } = content;
  const contentDigest = contentDigestOf(content);
  const manifest: Manifest = {
    format: 'tieout-evidence-4',
    content,
    contentDigest,
    approvals: [...(await signaturesUnder(workspace, period.label, contentDigest))],
    previousApprovals: previous
      ? [...(await signaturesUnder(workspace, previous.period, previous.contentDigest))]
      : [],
  };
  const files = [[MANIFEST_PATH, manifestText(manifest)], ...signatureFiles(manifest)] as const;
  for (const [path, text] of files) await writeFile(join(staging, path), text, { mode: 0o600 });
};

/** Returns the content of the previous period's last close; `null` when it was never closed. */
const signedBefore = async ({ workspace }: ClosePorts, period: FilingPeriod) => {
  const closing = await closingBefore(workspace, period);
  return closing ? { period: closing.period.label, ...closing.report.signOff } : null;
};
