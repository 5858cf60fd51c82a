import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { configurationParts, type Parts } from '../close/configuration/parts.ts';
import { providerOf } from '../close/configuration/provider-of.ts';
import { KEYS_PATH } from '../close/evidence/keys.ts';
import {
  type EvidenceLogs,
  LOG_NAMES,
  type LogName,
  logPath,
  logPiece,
  openLog,
} from '../close/evidence/log-file.ts';
import {
  contentDigestOf,
  type Derivation,
  type GoneFile,
  type LogFile,
  leavesOf,
  MANIFEST_PATH,
  type Manifest,
  type ManifestContent,
  manifestText,
  type NamedFile,
  reportFigures,
} from '../close/evidence/manifest.ts';
import type { PeriodReport } from '../close/figures/period-report.ts';
import { readinessFigures } from '../close/reconcile/readiness.ts';
import { drawBooks } from '../close/report/draw-books.ts';
import type { FileReading } from '../read/shapes.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { filesBelow, sha256OfFile } from '../runtime/publish-folder.ts';
import type { Gathered } from './report.ts';

/** Draws the books of a period into a folder that has its logs, and writes the manifest over all of it. */
export const drawPeriod = async (
  ports: ClosePorts,
  folder: string,
  gathered: Gathered,
  given: {
    readonly logs: LogFile[];
    readonly previous: ManifestContent['previous'];
    readonly readings: readonly FileReading[];
    readonly gone: readonly GoneFile[];
  },
): Promise<PeriodReport> => {
  const { report: undecided, registrations, filing: figures, rejects, refunds, detail, drawnFrom } = gathered;
  const { logs, previous, readings, gone } = given;
  const books = await drawBooks(folder, {
    ...{ gathered: undecided, registrations, figures, rejects, detail, refunds },
  });
  gathered.remove();
  await writeFile(join(folder, KEYS_PATH), gathered.keys, { mode: 0o600 });
  const leaves = { ...leavesOf(books, figures), ...(drawnFrom && { drawnFrom }) };
  const isGone = gone.length > 0 && { gone: [...gone] };
  const about = { report: books.report, leaves, previous, readings: [...readings], ...isGone };
  const content = await manifestContentOf(ports, folder, about, logs);
  const contentDigest = contentDigestOf(content);
  const manifest: Manifest = {
    format: 'tieout-evidence-4',
    content,
    contentDigest,
  };
  await writeFile(join(folder, MANIFEST_PATH), manifestText(manifest), { mode: 0o600 });
  return { ...books.report, signOff: { contentDigest } };
};

/** Returns the settings from which the evidence of a close is derived. */
export const derivationOf = ({ configuration, serviceId }: ClosePorts): Derivation => ({
  shipFrom: configuration.shipFrom,
  providers: Object.fromEntries(
    configuration.channels.map(({ name }) => [name, providerOf(configuration, name)]),
  ),
  service: serviceId,
});

/** Digests of the lines of each log. */
export type LogDigests = Parts<LogName>;

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
