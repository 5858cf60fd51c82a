import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { filesBelow, sha256OfFile } from '../../../runtime/publish-folder.ts';
import { configurationParts } from '../../configuration/parts.ts';
import { logPiece, openLog } from '../../evidence/log-file.ts';
import { LOG_NAMES, type LogName, logPath } from '../../evidence/logged.ts';
import {
  contentDigestOf,
  type LogFile,
  MANIFEST_PATH,
  type Manifest,
  type ManifestContent,
  manifestText,
  type NamedFile,
} from '../../evidence/manifest.ts';
import { reportFigures } from '../../evidence/manifest-content.ts';
import { signatureFiles } from '../../evidence/signature-files.ts';
import type { BookReport } from '../../figures/period-report.ts';
import { closingBefore } from '../../periods/closing.ts';
import { readinessFigures } from '../../reconcile/readiness.ts';
import { signaturesUnder } from '../../workspace/signatures.ts';
import { derivationOf } from '../book-pages/derivation-of.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import type { EvidenceLogs } from './evidence-logs.ts';
import type { LogDigests } from './pack-inputs.ts';

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

/** What the manifest says of a period, once every other file is there. */
export const manifestContentOf = async (
  ports: ClosePorts,
  staging: string,
  report: BookReport,
  logs: LogFile[],
): Promise<ManifestContent> => {
  const before = await signedBefore(ports, report.period);
  const { shipFrom, providers } = derivationOf(ports);
  return {
    ...reportFigures(report),
    build: ports.programDigest,
    configuration: configurationParts(ports.configuration).configuration,
    derivation: { shipFrom, providers },
    previous: before ? { period: before.period, contentDigest: before.contentDigest } : null,
    readiness: readinessFigures(report.readiness),
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

/** Write the manifest, and the signatures under its content. Nothing else may be written into the folder after this. */
export const writeManifest = async (
  { workspace }: ClosePorts,
  staging: string,
  content: ManifestContent,
): Promise<void> => {
  const { period, previous } = content;
  const contentDigest = contentDigestOf(content);
  const manifest: Manifest = {
    format: 'tieout-evidence-3',
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

/** What the last close of the period before wrote and who has signed it; `undefined` when it was never closed. */
const signedBefore = async ({ workspace }: ClosePorts, period: FilingPeriod) => {
  const closing = await closingBefore(workspace, period);
  return closing && { period: closing.period.label, ...closing.report.signOff };
};
