import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gapsOf, gapsText } from '../ask/coverage.ts';
import { recomputeText } from '../ask/plan-calculations.ts';
import { drawBooks } from '../books/draw-books.ts';
import { configurationParts, providerOf } from '../configuration/parts.ts';
import { KEYS_PATH } from '../evidence/keys.ts';
import { type EvidenceLogs, LOG_NAMES, logPath, openLog } from '../evidence/log-file.ts';
import {
  contentDigestOf,
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
import { dayBeforeEnd } from '../periods/close-ports.ts';
import { refuseUnknownReturns } from '../periods/filings.ts';
import { correctionsIn, findingsOfLate, frozenIn } from '../periods/late.ts';
import { filesBelow, makeFolder, sha256OfFile } from '../runtime/publish-folder.ts';
import { frozenFrame } from './frozen.ts';
import { type Gathered, gathering } from './gather.ts';
import { reconcileText, type SubmitFigures, submitText } from './outcome.ts';
import { type Close, type Folders, foldersOf, readingsIn } from './reading.ts';
import { recordsBehind } from './records-behind.ts';
import { settleAll } from './settle.ts';
import { findingsOfUnshown, type Strays, straysOf } from './strays.ts';

/** Draws the books of a period into a folder, and writes the manifest over all of it. */
const drawPeriod = async (
  close: Close,
  folder: string,
  { drawn, keys }: Gathered,
  { earlier: { before, stated }, gone }: Folders,
  closeLogs: () => Promise<LogFile[]>,
): Promise<PeriodReport> => {
  const books = await drawBooks(folder, drawn);
  const logs = await closeLogs();
  await writeFile(join(folder, KEYS_PATH), keys, { mode: 0o600 });
  await rm(partsIn(folder), { recursive: true, force: true });
  refuseUnknownReturns(stated, books.report);
  const { configuration, programDigest } = close.ports;
  const channels = configuration.channels.map(({ name }) => name);
  // Books that repeat locked entries have channels of then, too.
  const locked = frozenIn(close.locks, close.period).map(({ content }) => content.derivation.providers);
  const providers = channels.map((name) => [name, providerOf(configuration, name)] as const);
  const content: ManifestContent = {
    ...reportFigures(books.report),
    log: 1,
    build: programDigest,
    configuration: configurationParts(configuration).configuration,
    derivation: {
      shipFrom: configuration.shipFrom,
      providers: Object.assign({}, ...locked, Object.fromEntries(providers)),
    },
    leaves: leavesOf(books, drawn.figures),
    // An unannounced edit of the period before is detected by its content.
    previous: before ? { period: before.period.label, contentDigest: before.manifest.contentDigest } : null,
    readings: readingsIn(close),
    ...(gone.length > 0 && { gone: [...gone] }),
    logs,
    outputs: await outputsOf(folder, logs),
  };
  const contentDigest = contentDigestOf(content);
  const manifest: Manifest = { format: 'tieout-evidence-7', content, contentDigest };
  await writeFile(join(folder, MANIFEST_PATH), manifestText(manifest), { mode: 0o600 });
  return { ...books.report, signOff: { contentDigest } };
};

/** The folder for what does not fit in memory while a folder is filled. */
const partsIn = (staging: string): string => join(staging, '.parts');

/** Opens the logs of a period in a folder. What `work` does not close is abandoned. */
const withLogs = async <Result>(
  staging: string,
  work: (logs: EvidenceLogs, close: () => Promise<LogFile[]>) => Promise<Result>,
): Promise<Result> => {
  await mkdir(join(staging, dirname(MANIFEST_PATH)), { recursive: true, mode: 0o700 });
  const open = LOG_NAMES.map((name) => [name, openLog(join(staging, logPath(name)))] as const);
  try {
    return await work(Object.fromEntries(open) as EvidenceLogs, async () => {
      const logs: LogFile[] = [];
      for (const [name, log] of open) logs.push({ path: logPath(name), ...(await log.close()) });
      return logs;
    });
  } finally {
    for (const [, log] of open) await log.discard();
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
export const fillFolder = async (close: Close, staging: string, folders: Folders) => {
  const { run, ports, period, locks, late } = close;
  const { earlier, ledger, last, gone } = folders;
  return withLogs(staging, async (evidence, closeLogs) => {
    const corrections = correctionsIn(late, locks, period);
    const frozen = await frozenFrame(ports, period, frozenIn(locks, period), corrections);
    const books = gathering(close, frozen, earlier, partsIn(staging), evidence);
    const { settled, doubles } = await run.stage('recompute', async (advanced) => {
      const value = await settleAll(close, partsIn(staging), books.add, advanced);
      return { value, summary: recomputeText(value.settled.recomputed) };
    });
    const behind = await recordsBehind(close, books.keys, settled.keeper.inUse);
    const strays = await straysOf(close, settled.keeper, behind, gone);
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
    const report = await drawPeriod(close, staging, gathered, folders, closeLogs);
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
  return {
    gaps: coverage,
    recomputed,
    submitted,
    readBack,
    reconciled: statuses,
  };
};

/** Draws a period into a new folder, with working papers if the published folder has them, and publishes nothing. */
export const drawInto = async (close: Close, folder: string): Promise<void> => {
  makeFolder(folder, 0o700);
  const folders = await foldersOf(close);
  const workingPapers = (await folders.last?.frame())?.workingPapers;
  await fillFolder({ ...close, ports: { ...close.ports, workingPapers } }, folder, folders);
};
