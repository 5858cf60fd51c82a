import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { recomputeText } from '../ask/plan-calculations.ts';
import { gapsOf, gapsText } from '../ask/rate-gaps.ts';
import { decisionIndexOf } from '../configuration/decisions-of.ts';
import { LOCK_FILE } from '../evidence/lock-line.ts';
import { type GoneFile, MANIFEST_PATH, type ManifestContent } from '../evidence/manifest.ts';
import type { LateLine } from '../figures/late-line.ts';
import { applyPolicy, refuseDecisions } from '../judge/apply-policy.ts';
import type { Decision } from '../judge/decision.ts';
import { findingOfSetAside, findingsOfRemarks } from '../judge/sale-findings.ts';
import { ZERO } from '../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../kernel/period.ts';
import { shownCount as shown } from '../kernel/text.ts';
import { type EarlierPeriods, earlierPeriods, ledgerOf } from '../periods/earlier.ts';
import { type Locks, type PublishedPeriod, publishedPeriods } from '../periods/folders.ts';
import { refuseUnread } from '../periods/forms.ts';
import { lockedIndex } from '../periods/keys.ts';
import type { LateItems } from '../periods/late.ts';
import { lockFileOf } from '../periods/locks.ts';
import { notedRun } from '../periods/runs.ts';
import { readExports } from '../read/read-exports.ts';
import { allSales, type Exports, type FileReading } from '../read/shapes.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { dayBeforeEnd, periodFolder, runningPeriod } from '../run/period-folder.ts';
import type { StageRunner } from '../runtime/pipeline.ts';
import { makeFolder, publishFolder, sha256OfFile } from '../runtime/publish-folder.ts';
import { reconcileText } from './figures.ts';
import { frozenFrame, frozenIn } from './frozen.ts';
import { answersOf, goneFiles, refuseGone, unmetAnswers } from './gone.ts';
import { correctionsIn, findingsOfLate, lateOf, openOf } from './late.ts';
import { closeLocked, lockPlaceOf, outdatedBehind, takeLocks } from './locked.ts';
import { type SubmitFigures, submitText, type WrittenReport } from './outcome.ts';
import { drawPeriod, withLogs } from './publish.ts';
import { asidesOf, gathering } from './report.ts';
import { settleAll } from './settle.ts';
import { askedIn, recordsBehind, type Strays, straysOf } from './strays.ts';
import { inputsOf, noteClose, toldBefore, watchDays } from './unchanged.ts';

/**
 * Closes a period from nothing: the exports are read, its sales are settled a day at a time, and the books are drawn from
 * what comes out. Nothing is remembered of earlier runs but what the service has and what published folders say.
 */
export const closeDays = async (run: StageRunner, ports: ClosePorts, period: FilingPeriod) => {
  const locks = await takeLocks(ports);
  const locked = locks.versions.find(({ name }) => name === period.label);
  if (locked) return closeLocked(run, ports, locked);
  const inputs = await inputsOf(ports, period);
  const closed = await notedRun(ports, 'monthly-close', period, async () => {
    const early = runningPeriod(ports, period);
    if (early !== undefined) await run.tell('period', early, early);
    const told = await toldBefore<ClosedPeriod>(ports, period, inputs);
    if (told) {
      const summary = `${told.written.files.length} files in the folder; nothing has changed since they were written`;
      await run.tell('report', told.written, summary);
      return told;
    }
    return closeRead({ run, ports, period, inputs, ...(await readStage(run, ports, locks)) });
  });
  return { ...closed, outdated: await outdatedBehind(ports, locks) };
};

/** What a finished close tells. */
export type ClosedPeriod = Awaited<ReturnType<typeof closeRead>>;

/** The folder for what does not fit in memory while a run lasts. */
const partsFolder = ({ state }: ClosePorts): string => join(state, 'parts');

/** The locks, the exports without what is locked, and what the two say of the same sales. */
export type Reading = { readonly locks: Locks; readonly exports: Exports; readonly late: LateItems };

/** Reads all exports, and compares them with the locked periods. */
export const readStage = (run: StageRunner, ports: ClosePorts, locks: Locks): Promise<Reading> =>
  run.stage('extract', async (advanced) => {
    const folder = partsFolder(ports);
    const locked = await lockedIndex(locks);
    const read = await readExports(ports.configuration, { folder, advanced, locked });
    const late = await lateOf(ports, locks, read);
    const value = { locks, late, exports: openOf(read, locks, late) };
    return { value, summary: read.summary };
  });

/** A close under way. */
type Close = {
  readonly run: StageRunner;
  readonly ports: ClosePorts;
  readonly period: FilingPeriod;
  /** Names of records that the books of other periods have; then they are not strays. */
  readonly elsewhere?: ReadonlySet<string>;
  /** Digest of what it reads but the service; absent where that is not noted. */
  readonly inputs?: string | undefined;
} & Reading;

/** Closes a period whose exports are read. */
export const closeRead = async (close: Close) => {
  const { run, ports, period, exports, inputs } = close;
  const folder = periodFolder(ports, period);
  const folders = await foldersOf(close);
  const { last } = folders;
  await nameNexus(close);
  refuseAmong(ports.configuration, period, exports);
  if (last) await refuseUnread(ports, last);
  refuseGone(folders.gone, decisionIndexOf(ports.configuration), period);
  const watched = await watchDays(ports, period, besideDays(close));
  const { files, changed, filled } = await publishFolder(folder, async (staging) => {
    const done = await fillFolder(close, staging, folders);
    await keepSignatures(close, staging);
    ports.queued?.checkLock();
    return done;
  });
  const { report, ...figures } = filled;
  const value: WrittenReport = { report, folder, files };
  const summary = `${files.length} files in the folder, ${changed ? 'written' : 'unchanged'}`;
  const written = await run.tell('report', value, summary);
  const lines = report.late;
  const countOf = (choice: LateLine['choice']): number => lines.filter((one) => one.choice === choice).length;
  const late = { open: countOf('open'), carried: countOf('carried'), amended: countOf('amended') };
  const closed = { ...figures, late, written };
  const { certificates } = exports;
  if (watched && inputs) await noteClose(ports, period, watched, { inputs, certificates, closed });
  return closed;
};

/** The days beside those of a period that it rests on: of corrections, and of the locked periods that it follows. */
const besideDays = ({ period, late, locks }: Close) => [
  ...correctionsIn(late, locks, period).map(({ sale: { businessDate: day } }) => ({ first: day, last: day })),
  ...locks.periods.filter(({ last }) => isWithin(period, locks.openFrom(last))),
];

/** Keeps the signatures of exactly what is in a folder. */
const keepSignatures = async ({ ports, period, locks }: Close, staging: string): Promise<void> => {
  const manifest = await sha256OfFile(join(staging, MANIFEST_PATH));
  const text = lockFileOf(locks.lines, lockPlaceOf(ports), periodFolder(ports, period), manifest);
  if (text !== undefined) await writeFile(join(staging, LOCK_FILE), text, { mode: 0o600 });
};

/**
 * Returns the digest of the manifest that a close would write now, and what locked periods and exports say of the same sales.
 */
export const trialOf = async (run: StageRunner, ports: ClosePorts, period: FilingPeriod) => {
  const reading = await readStage(run, ports, await takeLocks(ports));
  const close: Close = { run, ports, period, ...reading };
  const trial = join(partsFolder(ports), 'trial');
  await rm(trial, { recursive: true, force: true });
  try {
    await drawInto(close, trial);
    return { manifest: await sha256OfFile(join(trial, MANIFEST_PATH)), ...reading };
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
};

/** Draws a period into a new folder, and publishes nothing. */
export const drawInto = async (close: Close, folder: string): Promise<void> => {
  makeFolder(folder, 0o700);
  await fillFolder(close, folder, await foldersOf(close));
};

const foldersOf = async ({ ports, period, exports, locks }: Close): Promise<Folders> => {
  const published = await publishedPeriods(dirname(periodFolder(ports, period)), namesOf(locks));
  const last = await published.of(period.label);
  return {
    last,
    gone: last && !last.isLocked ? await goneFiles(last, exports) : [],
    earlier: await earlierPeriods(published, ports.configuration, period),
    ledger: await ledgerOf(exports.ledger, published, period),
  };
};

const namesOf = ({ versions }: Locks): ReadonlySet<string> => new Set(versions.map(({ name }) => name));

/** What folders of earlier closes say. */
type Folders = {
  readonly earlier: EarlierPeriods;
  readonly ledger: Awaited<ReturnType<typeof ledgerOf>>;
  /** The folder of the period itself. */
  readonly last: PublishedPeriod | undefined;
  readonly gone: readonly GoneFile[];
};

/** Settles a period and writes its books, its evidence and the manifest over both into an empty folder. */
const fillFolder = async (close: Close, staging: string, { earlier, ledger, last, gone }: Folders) => {
  const { run, ports, period, exports, locks, late } = close;
  const folder = join(staging, '.parts');
  const { result, logs } = await withLogs(staging, async (evidence) => {
    const corrections = correctionsIn(late, locks, period);
    const frozen = await frozenFrame(ports, period, frozenIn(locks, period), corrections);
    const { registrations } = earlier;
    const books = gathering(ports, period, { folder, logs: evidence, exports, frozen, registrations });
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
      ...{ strays, doubles, earlier, ledger, gone },
      undecided: settled.undecided,
      lockedUntil: locks.periods.at(-1)?.last,
      findings: [
        ...findingsOfLate(late, locks, period),
        ...behind.findings,
        ...(await unmetAnswers(ports, period, { locks, exports, strays, gone, keys: books.keys })),
      ],
      // A period that was over when it was closed last remains so, whatever the clock says.
      isOver: (before && before.madeEarly === undefined) || dayBeforeEnd(ports, period) === undefined,
      hasWorkingPapers: ports.workingPapers ?? before?.sampling !== undefined,
    });
    return { gathered, figures };
  });
  const { gathered, figures } = result;
  const report = await drawPeriod(ports, staging, gathered, {
    ...{ logs, previous: previousOf(earlier), gone },
    readings: readingsIn(close),
  });
  return { report, ...figures };
};

/** Returns how the files were read that have days of the period. What is late of one is not settled. */
const readingsIn = ({ exports, period, late }: Close): readonly FileReading[] => {
  const open = new Set(late.corrections.map(({ today }) => today.file));
  const all = [...exports.readings, ...exports.settled];
  return all
    .filter(({ first, last }) => first <= period.last && period.first <= last)
    .map((one) => ({ ...one, isSettled: one.isSettled && !open.has(one.sha256) }));
};

/** Reports what was recorded, read back and compared while the sales were settled. */
const nameFigures = async (
  { run, ports, period }: Close,
  { keeper, gaps, statuses, recomputed }: Awaited<ReturnType<typeof settleAll>>['settled'],
  { extras, unshown, listed, deleted }: Strays,
) => {
  const coverage = gapsOf(ports, period, gaps);
  if (coverage.states.length + coverage.outdated.length > 0)
    await run.tell('coverage', coverage, gapsText(coverage));
  const { read, deleted: replaced, ...sent } = keeper.counts;
  const submitted: SubmitFigures = { ...sent, withdrawn: deleted + replaced };
  await run.tell('submit', submitted, submitText(submitted));
  const listedAll = listed + sent.created;
  const readBack = { listed: listedAll, read: read + extras.length, unshown: unshown.length };
  await run.tell('read back', readBack, `${shown(readBack.read)} records read back`);
  await run.tell('reconcile', statuses, reconcileText(statuses));
  return { gaps: coverage, recomputed, submitted, readBack, reconciled: statuses };
};

/** Reports before any calculation where the service has no nexus. */
const nameNexus = async ({ run, ports: { nexusMissing = [] } }: Close): Promise<void> => {
  if (nexusMissing.length === 0) return;
  const summary = `the account with the tax service has none today in ${nexusMissing.join(', ')}; add these states to the account, or no tax is calculated there`;
  await run.tell('nexus', nexusMissing, summary);
};

/** The content of the period before, so that an unannounced edit of it is detected. */
const previousOf = ({ before }: EarlierPeriods): ManifestContent['previous'] =>
  before ? { period: before.period.label, contentDigest: before.manifest.contentDigest } : null;

const decisionsOfPeriod = (
  configuration: ClosePorts['configuration'],
  { label }: FilingPeriod,
): readonly Decision[] =>
  configuration.decided.filter((one) => one.period === label || one.stated !== undefined);

/** Refuses the same where a period has these records, sales among them. @throws {TieoutError} E_DECISION */
export const refuseAmong = (
  configuration: ClosePorts['configuration'],
  period: FilingPeriod,
  exports: Exports,
): void => {
  const decisions = decisionsOfPeriod(configuration, period);
  if (decisions.length === 0) return;
  const index = decisionIndexOf(configuration);
  refuseDecisions(decisions, index);
  const drafts = asidesOf(exports, period).map(findingOfSetAside);
  for (const sale of allSales(exports, period)) {
    if (sale.findings.length === 0) continue;
    const { origin, id: record, channel, shipTo } = sale;
    drafts.push(...findingsOfRemarks(sale, { origin, record, channel, state: shipTo.state, effect: ZERO }));
  }
  applyPolicy(drafts, [], index, period);
};
