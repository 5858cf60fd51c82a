import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gapsOf, gapsText } from '../ask/coverage.ts';
import { recomputeText } from '../ask/plan-calculations.ts';
import { drawBooks } from '../books/books.ts';
import { decisionIndexOf } from '../configuration/load-configuration.ts';
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
import { shownCount } from '../kernel/text.ts';
import { type ClosePorts, dayBeforeEnd } from '../periods/close-ports.ts';
import type { EarlierPeriods } from '../periods/earlier.ts';
import { refuseUnknownReturns } from '../periods/filings.ts';
import { correctionsIn, findingsOfLate } from '../periods/late.ts';
import type { FileReading } from '../read/shapes.ts';
import { filesBelow, makeFolder, sha256OfFile } from '../runtime/publish-folder.ts';
import { frozenFrame, frozenIn } from './frozen.ts';
import { type Gathered, gathering } from './gather.ts';
import { answersOf } from './gone.ts';
import { reconcileText, type SubmitFigures, submitText } from './outcome.ts';
import { type Close, type Folders, foldersOf } from './reading.ts';
import { settleAll } from './settle.ts';
import type { Strays } from './strays.ts';
import { askedIn, findingsOfUnshown, recordsBehind, straysOf } from './strays.ts';

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

/** Settles a period and writes its books, its evidence and the manifest over both into an empty folder. */
export const fillFolder = async (close: Close, staging: string, { earlier, ledger, last, gone }: Folders) => {
  const { run, ports, period, locks, late } = close;
  const folder = join(staging, '.parts');
  return withLogs(staging, async (evidence, closeLogs) => {
    const corrections = correctionsIn(late, locks, period);
    const frozen = await frozenFrame(ports, period, frozenIn(locks, period), corrections);
    const books = gathering(close, { frozen, earlier }, { folder, logs: evidence });
    const { settled, doubles } = await run.stage('recompute', async (advanced) => {
      const value = await settleAll(close, books.add, advanced);
      return { value, summary: recomputeText(value.settled.recomputed) };
    });
    const behind = await recordsBehind(ports, { ...close, keys: books.keys, inUse: settled.keeper.inUse });
    const strays = await straysOf(ports, period, settled.keeper, {
      ofFiles: answersOf(gone, decisionIndexOf(ports.configuration)),
      behind: behind.left,
      isFiled: behind.isFiled,
      isAsked: askedIn(close),
    });
    const figures = await nameFigures(close, settled, strays);
    const before = await last?.frame();
    const gathered = await books.end({
      strays,
      doubles,
      ledger,
      gone,
      undecided: settled.undecided,
      lockedUntil: locks.periods.at(-1)?.last,
      findings: [...findingsOfLate(late, locks, period), ...behind.findings, ...findingsOfUnshown(strays)],
      // A period that was over when it was closed last remains so, whatever the clock says.
      isOver: (before && before.madeEarly === undefined) || dayBeforeEnd(ports, period) === undefined,
    });
    const report = await drawPeriod(ports, staging, gathered, {
      closeLogs,
      previous: previousOf(earlier),
      gone,
      readings: readingsIn(close),
    });
    return { report, ...figures };
  });
};

/** Reports what was recorded, read back and compared while the sales were settled. */
const nameFigures = async (
  { run, ports, period }: Close,
  { keeper, statuses, recomputed }: Awaited<ReturnType<typeof settleAll>>['settled'],
  { extras, deleted, unshown }: Strays,
) => {
  const coverage = gapsOf(ports, period);
  if (coverage.states.length + coverage.outdated.length > 0)
    await run.tell('coverage', coverage, gapsText(coverage));
  const { read, deleted: replaced, ...sent } = keeper.counts;
  const submitted: SubmitFigures = { ...sent, withdrawn: deleted + replaced };
  await run.tell('submit', submitted, submitText(submitted));
  const listed = keeper.listed.count() + sent.created;
  const readBack = { listed, read: read + extras.length, unshown: unshown.length };
  await run.tell('read back', readBack, `${shownCount(readBack.read)} records read back`);
  await run.tell('reconcile', statuses, reconcileText(statuses));
  return { gaps: coverage, recomputed, submitted, readBack, reconciled: statuses };
};

/** Returns how the files were read that have days of the period. What is late of one is not settled. */
const readingsIn = ({ exports, period, late }: Close): readonly FileReading[] => {
  const open = new Set(late.corrections.map(({ today }) => today.file));
  const all = [...exports.readings, ...exports.settled];
  return all
    .filter(({ first, last }) => first <= period.last && period.first <= last)
    .map((one) => ({ ...one, isSettled: one.isSettled && !open.has(one.sha256) }));
};

/** The content of the period before, so that an unannounced edit of it is detected. */
const previousOf = ({ before }: EarlierPeriods): ManifestContent['previous'] =>
  before ? { period: before.period.label, contentDigest: before.manifest.contentDigest } : null;

/** Draws a period into a new folder, with working papers if the published folder has them, and publishes nothing. */
export const drawInto = async (close: Close, folder: string): Promise<void> => {
  makeFolder(folder, 0o700);
  const folders = await foldersOf(close);
  const workingPapers = (await folders.last?.frame())?.workingPapers;
  await fillFolder({ ...close, ports: { ...close.ports, workingPapers } }, folder, folders);
};
