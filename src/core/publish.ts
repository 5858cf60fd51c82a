import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { drawBooks } from '../books/draw-books.ts';
import { configurationParts, providerOf } from '../configuration/parts.ts';
import { KEYS_PATH } from '../evidence/keys.ts';
import { type EvidenceLogs, LOG_NAMES, logPath, openLog } from '../evidence/log-file.ts';
import {
  contentDigestOf,
  type GoneFile,
  type LogFile,
  leavesOf,
  MANIFEST_PATH,
  type Manifest,
  type ManifestContent,
  manifestText,
  type NamedFile,
  reportFigures,
} from '../evidence/manifest.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import { refuseUnknownReturns } from '../periods/filings.ts';
import type { FileReading } from '../read/shapes.ts';
import { filesBelow, sha256OfFile } from '../runtime/publish-folder.ts';
import type { Gathered } from './gather.ts';

/** Draws the books of a period into a folder, and writes the manifest over all of it. */
export const drawPeriod = async (
  ports: ClosePorts,
  folder: string,
  { drawn, remove, keys, stated }: Gathered,
  given: {
    readonly closeLogs: () => Promise<LogFile[]>;
    readonly previous: ManifestContent['previous'];
    readonly readings: readonly FileReading[];
    readonly gone: readonly GoneFile[];
  },
): Promise<PeriodReport> => {
  const { closeLogs, previous, readings, gone } = given;
  const books = await drawBooks(folder, drawn);
  const logs = await closeLogs();
  remove();
  refuseUnknownReturns(stated, books.report);
  await writeFile(join(folder, KEYS_PATH), keys, { mode: 0o600 });
  const { configuration } = ports;
  const channels = configuration.channels.map(({ name }) => name);
  const providers = channels.map((name) => [name, providerOf(configuration, name)] as const);
  const content: ManifestContent = {
    ...reportFigures(books.report),
    log: 1,
    build: ports.programDigest,
    configuration: configurationParts(configuration).configuration,
    derivation: { shipFrom: configuration.shipFrom, providers: Object.fromEntries(providers) },
    leaves: leavesOf(books, drawn.figures),
    previous,
    readings: [...readings],
    ...(gone.length > 0 && { gone: [...gone] }),
    logs,
    outputs: await outputsOf(folder, logs),
  };
  const contentDigest = contentDigestOf(content);
  const manifest: Manifest = { format: 'tieout-evidence-7', content, contentDigest };
  await writeFile(join(folder, MANIFEST_PATH), manifestText(manifest), { mode: 0o600 });
  return { ...books.report, signOff: { contentDigest } };
};

/** Opens the logs of a period in a folder. What `work` does not close is abandoned. */
export const withLogs = async <Result>(
  staging: string,
  work: (logs: EvidenceLogs, close: () => Promise<LogFile[]>) => Promise<Result>,
): Promise<Result> => {
  await mkdir(join(staging, dirname(MANIFEST_PATH)), { recursive: true, mode: 0o700 });
  const open = LOG_NAMES.map((name) => ({ name, log: openLog(join(staging, logPath(name))) }));
  try {
    const write: EvidenceLogs['write'] = async (pieces) => {
      for (const { name, log } of open) {
        const piece = pieces[name];
        // Each log has one writer at a time, so that its members stay in order.
        if (piece) await log.write(piece);
      }
    };
    return await work({ write }, async () => {
      const logs: LogFile[] = [];
      for (const { name, log } of open) logs.push({ path: logPath(name), ...(await log.close()) });
      return logs;
    });
  } finally {
    for (const { log } of open) await log.discard();
  }
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
