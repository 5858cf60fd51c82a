import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { filesBelow, sha256OfFile } from '../../../runtime/publish-folder.ts';
import { configurationDigest } from '../../configuration/configuration-digest.ts';
import { logPiece, openLog } from '../../evidence/log-file.ts';
import { LOG_NAMES, type LogName, logPath } from '../../evidence/logged.ts';
import {
  contentDigestOf,
  type LogFile,
  MANIFEST_PATH,
  type ManifestContent,
  manifestText,
  type NamedFile,
  type SignatureEntry,
} from '../../evidence/manifest.ts';
import { clusterFigures, inputFigures, reasonFigures, stateSums } from '../../evidence/manifest-content.ts';
import { closingBefore } from '../../periods/closing.ts';
import { clustersOf } from '../../reconcile/clusters.ts';
import { readinessFigures } from '../../reconcile/readiness.ts';
import { acceptedExceptions, openExceptions, type PeriodReport } from '../../report/period-report.ts';
import { signaturesUnder } from '../../workspace/signatures.ts';
import type { ClosePorts } from '../close-ports.ts';
import type { LogDigests } from './drawn-from.ts';
import type { EvidenceLogs } from './evidence-logs.ts';

/** What became of the logs of a period. */
export type WrittenLogs = { readonly logs: LogFile[]; readonly logDigests: LogDigests };

/** Write the logs of a period into a folder: whatever comes of `work`, they are closed behind it. */
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
      const { linesSha256, ...file } = await log.close();
      logs.push({ path: logPath(name), ...file });
      logDigests[name] = linesSha256;
    }
    return { result, logs, logDigests: logDigests as LogDigests };
  } finally {
    for (const { log } of open) log.discard();
  }
};

const NO_LINES = logPiece([]);

/** What the manifest says a period comes to. It follows when everything else is there. */
export const manifestContentOf = async (
  ports: ClosePorts,
  period: FilingPeriod,
  report: PeriodReport,
  logs: LogFile[],
): Promise<ManifestContent> => {
  const before = await signedBefore(ports, period);
  const [open, accepted] = [openExceptions(report).length, acceptedExceptions(report).length];
  return {
    program: report.program,
    seller: report.seller,
    entity: report.entity,
    period: { label: period.label, first: period.first, last: period.last },
    timeZone: report.timeZone,
    service: report.service,
    configuration: configurationDigest(ports.configuration),
    previous: before ? { period: before.period, contentDigest: before.contentDigest } : null,
    inputs: report.inputs.map(inputFigures),
    states: report.states.map(stateSums),
    reasons: report.reasons.map(reasonFigures),
    clusters: clustersOf(report.exceptions).map(clusterFigures),
    exceptions: { open, accepted, seen: report.exceptions.length - open - accepted },
    readiness: readinessFigures(report.readiness),
    logs,
  };
};

/** Name every file that is there by now. Nothing may be written into the folder after this. */
export const writeManifest = async (
  ports: ClosePorts,
  staging: string,
  content: ManifestContent,
  signatures: readonly SignatureEntry[],
): Promise<void> => {
  const { previous } = content;
  const named = new Set(content.logs.map(({ path }) => path));
  const outputs: NamedFile[] = [];
  for (const path of await filesBelow(staging)) {
    if (named.has(path)) continue;
    const file = join(staging, path);
    outputs.push({ path, bytes: (await stat(file)).size, sha256: await sha256OfFile(file) });
  }
  const text = manifestText({
    format: 'tieout-evidence-1',
    content,
    contentDigest: contentDigestOf(content),
    approvals: [...signatures],
    previousApprovals: previous
      ? [...(await signaturesUnder(ports.workspace, previous.period, previous.contentDigest))]
      : [],
    outputs,
  });
  await writeFile(join(staging, MANIFEST_PATH), text, { mode: 0o600 });
};

/** What the last close of the period before wrote and who has signed it; `undefined` when it was never closed. */
const signedBefore = async ({ workspace }: ClosePorts, period: FilingPeriod) => {
  const closing = await closingBefore(workspace, period);
  return closing && { period: closing.period.label, ...closing.report.signOff };
};
