import { join } from 'node:path';
import { decisionIndexOf } from '../configuration/load-configuration.ts';
import type { LateLine } from '../figures/late-line.ts';
import { refuseDecisions } from '../judge/apply-policy.ts';
import { decidedIn } from '../judge/decided-in.ts';
import { type Decision, decisionError } from '../judge/decision.ts';
import { type FilingPeriod, isWithin } from '../kernel/period.ts';
import { type ClosePorts, periodFolder, runningPeriod } from '../periods/close-ports.ts';
import type { PublishedPeriod } from '../periods/folders.ts';
import { correctionsIn } from '../periods/late.ts';
import { notedRun } from '../periods/runs.ts';
import type { StageRunner } from '../runtime/pipeline.ts';
import { folderDifferences, publishFolder } from '../runtime/publish-folder.ts';
import { ExportError } from '../sales/file-source.ts';
import { refuseGone } from './gone.ts';
import { keepSignatures } from './lock.ts';
import { closeLocked } from './locked.ts';
import type { WrittenReport } from './outcome.ts';
import { fillFolder } from './publish.ts';
import { type Close, foldersOf, outdatedBehind, readStage, takeLocks } from './reading.ts';
import { inputsOf, toldBefore, watchDays } from './unchanged.ts';

/**
 * Closes a period from nothing: the exports are read, its sales are settled a day at a time, and the books are drawn from
 * what comes out. Nothing is remembered of earlier runs but what the service has and what published folders say.
 */
export const closeDays = async (run: StageRunner, ports: ClosePorts, period: FilingPeriod) => {
  const locks = await takeLocks(ports);
  const locked = locks.versions.find(({ name }) => name === period.label);
  if (locked) return closeLocked(run, ports, locked);
  const inputs = await inputsOf(ports, period);
  const closed = await notedRun(ports, period, async () => {
    const early = runningPeriod(ports, period);
    if (early !== undefined) await run.tell('period', early, early);
    const told = await toldBefore<ClosedPeriod>(ports, period, inputs);
    if (told) {
      const summary = `${told.written.files.length} files in the folder; nothing has changed since they were written`;
      await run.tell('report', told.written, summary);
      return told;
    }
    return closeRead({
      run,
      ports,
      period,
      inputs,
      ...(await readStage(run, ports, locks)),
    });
  });
  return { ...closed, outdated: await outdatedBehind(ports, locks) };
};

/** What a finished close tells. */
export type ClosedPeriod = Awaited<ReturnType<typeof closeRead>>;

/** Closes a period whose exports are read. */
export const closeRead = async (close: Close) => {
  const { run, ports, period, inputs } = close;
  const folder = periodFolder(ports, period);
  const folders = await foldersOf(close);
  const { last } = folders;
  const { decided } = ports.configuration;
  const decisions = decisionIndexOf(ports.configuration);
  refuseDecisions(
    decided.filter((one) => one.period === period.label || one.stated !== undefined),
    decisions,
  );
  if (last) await refuseUnread(ports, last);
  refuseGone(folders.gone, decisions, period);
  const note = await watchDays(ports, period, besideDays(close));
  const { files, changed, filled } = await publishFolder(folder, async (staging) => {
    const done = await fillFolder(close, staging, folders);
    await keepSignatures(close, staging);
    ports.queued?.checkLock();
    await ports.sync?.();
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
  if (inputs) await note?.(inputs, closed);
  return closed;
};

/** The days beside those of a period that it rests on: of corrections, and of the locked periods that it follows. */
const besideDays = ({ period, late, locks }: Close) => [
  ...correctionsIn(late, locks, period).map(({ sale: { businessDate: day } }) => ({ first: day, last: day })),
  ...locks.periods.filter(({ last }) => isWithin(period, locks.openFrom(last))),
];

/** The files of a period that a person fills in. */
const FILLED_IN: ReadonlySet<string> = new Set(['open-items.csv']);

/**
 * Refuses to replace a form in the folder of the books that a person has filled in: first the configuration must name it
 * as a file of decisions.
 *
 * @throws {TieoutError} E_DECISION when the folder has a decision that was not read
 */
const refuseUnread = async (
  { configuration: { decided } }: ClosePorts,
  { folder, manifest, frame }: PublishedPeriod,
): Promise<void> => {
  const forms = manifest.content.outputs.filter(({ path }) => FILLED_IN.has(path));
  for await (const { path, what } of folderDifferences(folder, forms)) {
    if (what !== 'changed') continue;
    const read = new Set([...(await frame()).decisions, ...decided].map(wordsOf));
    const unread = (await decisionsAt(folder, path)).find((decision) => !read.has(wordsOf(decision)));
    if (unread)
      throw decisionError(
        join(folder, unread.place),
        'it was decided beside the books, which this close would write over',
        'Name the file in `decisions` of the configuration, or move it away, and close again.',
      );
  }
};

const wordsOf = ({ verdict, why, by, on }: Decision): string => JSON.stringify([verdict, why, by, on]);

/** A damaged file does not contain decisions. */
const decisionsAt = async (folder: string, path: string): Promise<readonly Decision[]> => {
  try {
    return await decidedIn([path], (name) => join(folder, name));
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    return [];
  }
};
