import { join } from 'node:path';
import { recomputeText } from '../ask/plan-calculations.ts';
import { decisionIndexOf } from '../configuration/load-configuration.ts';
import type { ManifestContent } from '../evidence/manifest.ts';
import type { EarlierPeriods } from '../periods/earlier.ts';
import { dayBeforeEnd } from '../periods/period-folder.ts';
import type { FileReading } from '../read/shapes.ts';
import { makeFolder } from '../runtime/publish-folder.ts';
import { recordsBehind } from './behind.ts';
import { unmetAnswers } from './decided.ts';
import { frozenFrame, frozenIn } from './frozen.ts';
import { gathering } from './gather.ts';
import { answersOf } from './gone.ts';
import { correctionsIn, findingsOfLate } from './late.ts';
import { drawPeriod, withLogs } from './publish.ts';
import { type Close, type Folders, foldersOf } from './reading.ts';
import { settleAll } from './settle.ts';
import { askedIn, straysOf } from './strays.ts';
import { nameFigures } from './tell.ts';

/** Settles a period and writes its books, its evidence and the manifest over both into an empty folder. */
export const fillFolder = async (close: Close, staging: string, { earlier, ledger, last, gone }: Folders) => {
  const { run, ports, period, exports, locks, late } = close;
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
      findings: [
        ...findingsOfLate(late, locks, period),
        ...behind.findings,
        ...(await unmetAnswers(ports, period, { locks, exports, strays, gone, keys: books.keys })),
      ],
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
