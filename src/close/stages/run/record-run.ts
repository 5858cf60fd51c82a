import { randomUUID } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instant } from '../../../kernel/calendar.ts';
import type { Json } from '../../../kernel/digest.ts';
import { designedError } from '../../../kernel/disk-failure.ts';
import { ExitCode, exitCodeOf } from '../../../kernel/exit-code.ts';
import { formatMoney } from '../../../kernel/money.ts';
import { changedPart } from '../../../kernel/parts.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { StageRunner } from '../../../runtime/pipeline.ts';
import { provePublishable } from '../../../runtime/publish-folder.ts';
import { configurationParts } from '../../configuration/parts.ts';
import { openExceptions, type PeriodReport, varianceOf } from '../../figures/period-report.ts';
import { compareClosings, type OutdatedCause } from '../../periods/outdated-closings.ts';
import { readinessFigures } from '../../reconcile/readiness.ts';
import { interruptedRun, isComplete, type RunError, type RunNote, startRun } from '../../workspace/runs.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ClosePorts } from './close-ports.ts';
import { noteOutdated, noteOutOfDate, removeNote, removeOutOfDateNote } from './out-of-date-note.ts';
import { periodFolder } from './period-folder.ts';

/** Returns 0 when nothing that the policy forbids is open. */
export const exitCodeOfReport = (report: Pick<PeriodReport, 'readiness'>): ExitCode =>
  report.readiness.ready ? ExitCode.clean : ExitCode.open;

/** A closed period that has to be closed again. */
export type OutdatedPeriod = { readonly label: string; readonly cause: OutdatedCause };

type NotedRun = { readonly pipeline: string; readonly period: FilingPeriod };

/** What a run that has just begun will close. */
export type NotedStart = {
  readonly pipeline: string;
  readonly periods: (workspace: Workspace) => Promise<readonly FilingPeriod[]>;
};

type Closed = {
  readonly recomputed: object;
  readonly submitted: object;
  readonly readBack: object;
  readonly reconciled: object;
  readonly written: { readonly report: PeriodReport };
};

/**
 * Run the stages of a period and record the outcome in the workspace. If an output folder of an earlier run exists, a
 * note beside it says that it is out of date, until the run succeeds. If the last run did not complete, and the
 * configuration has changed since, a message says so.
 */
export const recordRun = async <Result extends Closed>(
  run: StageRunner,
  ports: ClosePorts,
  { pipeline, period }: NotedRun,
  work: () => Promise<Result>,
): Promise<Result> => {
  const { configuration } = configurationParts(ports.configuration);
  const cutOff = await interruptedRun(ports.workspace, period.label);
  const note = await startRun(ports.workspace, ports.clock, {
    pipeline,
    period: period.label,
    figures: { configuration },
  });
  try {
    const begun = { configuration: cutOff?.configuration ?? configuration };
    if (await changedPart(begun, { configuration }, ['configuration']))
      await run.stage('resume', async () => ({ value: undefined, summary: CHANGED }));
    await provePublishable(periodFolder(ports, period));
    await noteOutOfDate(ports, period);
    const closed = await work();
    await removeOutOfDateNote(ports, period);
    const { recomputed, submitted, readBack, reconciled } = closed;
    const { report } = closed.written;
    const figures = { ...outcomeOf(ports, report), recomputed, submitted, readBack, reconciled };
    await note.finish(exitCodeOfReport(report), plain({ configuration, ...wire(ports), ...figures }));
    return closed;
  } catch (error) {
    await note.finish(exitCodeOf(error), plain({ configuration, ...wire(ports), error: errorNote(error) }));
    throw error;
  }
};

const outcomeOf = (ports: ClosePorts, report: PeriodReport) => ({
  readiness: readinessFigures(report.readiness),
  outcome: {
    variance: formatMoney(varianceOf(report)),
    open: openExceptions(report).length,
    folder: periodFolder(ports, report.period),
  },
});

/** Runs what comes before the first stage of some periods. An error of it is recorded for each of them. */
export const recordStart = async <Result>(
  ports: ClosePorts,
  start: NotedStart,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    await recordFailedStart(ports, start, error);
    throw error;
  }
};

/**
 * Record a run that ended before the first stage of its periods: the published folders or the exports could not be read,
 * or the tax service could not be reached or rejected the key.
 */
export const recordFailedStart = async (
  ports: Pick<ClosePorts, 'workspace' | 'clock' | 'configuration' | 'output'>,
  { pipeline, periods }: NotedStart,
  error: unknown,
): Promise<void> => {
  for (const period of await periods(ports.workspace))
    await recordStopped(ports, { pipeline, period }, error);
};

const recordStopped = async (
  ports: Pick<ClosePorts, 'workspace' | 'clock' | 'configuration' | 'output'>,
  { pipeline, period }: NotedRun,
  error: unknown,
): Promise<void> => {
  // It did nothing, so a later run still continues where the run before it was interrupted.
  const figures = { configuration: (await interruptedRun(ports.workspace, period.label))?.configuration };
  const note = await startRun(ports.workspace, ports.clock, { pipeline, period: period.label, figures });
  await noteOutOfDate(ports, period);
  await note.finish(exitCodeOf(error), { ...figures, error: errorNote(error) });
};

/** Returns the error that stopped a run, as it is recorded. */
const errorNote = (error: unknown): RunError => {
  const designed = designedError(error);
  if (designed) return { code: designed.code, message: designed.message, nextStep: designed.nextStep };
  return { code: 'E_DEFECT', message: error instanceof Error ? error.message : String(error) };
};

const CHANGED =
  'the configuration has changed since the last run, which was not completed; what depends on it is done again';

/** Returns the traffic with a remote service and its speed: for the record of the run, never for its output. */
const wire = ({ metered }: ClosePorts): object => (metered ? { service: metered() } : {});

const plain = (figures: object): Json => JSON.parse(JSON.stringify(figures)) as Json;

/**
 * Returns the closed periods that are out of date, with the cause. Writes a note beside the folder of each, and removes
 * it when what it was closed with is again as it was.
 */
export const outdatedPeriods = async ({ workspace }: ClosePorts): Promise<readonly OutdatedPeriod[]> => {
  const outdated: OutdatedPeriod[] = [];
  for (const { label, folder, cause } of await compareClosings(workspace)) {
    if (cause) {
      await noteOutdated(folder, label, cause);
      outdated.push({ label, cause });
    } else if (!(await interruptedRun(workspace, label))) await removeNote(folder);
  }
  return outdated;
};

/**
 * A line of `.tieout/runs.ndjson`: a run that began, or the same once it ended. A run without an end was killed. Times,
 * latencies and ids of runs stand here alone and never reach the output folder.
 */
type RunLine = {
  readonly id: string;
  readonly entity: string;
  readonly pipeline: string;
  readonly period: string;
  readonly started: Instant;
  readonly finished?: Instant;
  readonly exitCode?: number;
  readonly figures?: Json;
};

type Noting = Pick<ClosePorts, 'state' | 'clock' | 'configuration' | 'output' | 'metered'>;

const fileOf = (state: string): string => join(state, 'runs.ndjson');

/** Runs the close of a period, and notes its beginning and its end. */
export const notedRun = async <Closed extends { readonly written: { readonly report: PeriodReport } }>(
  ports: Noting,
  pipeline: string,
  period: FilingPeriod,
  work: () => Promise<Closed>,
): Promise<Closed> => {
  const begun: RunLine = {
    ...{ id: randomUUID(), entity: ports.configuration.entity },
    ...{ pipeline, period: period.label, started: ports.clock.now() },
  };
  await noteLine(ports, begun);
  const end = (exitCode: number, figures: object): Promise<void> => {
    const all = { ...(ports.metered && { service: ports.metered() }), ...figures };
    return noteLine(ports, { ...begun, finished: ports.clock.now(), exitCode, figures: plain(all) });
  };
  try {
    await provePublishable(periodFolder(ports, period));
    await noteOutOfDate(ports, period);
    const closed = await work();
    const { written, ...counts } = closed;
    const { report } = written;
    await removeOutOfDateNote(ports, period);
    const outcome = {
      variance: formatMoney(varianceOf(report)),
      open: openExceptions(report).length,
      folder: periodFolder(ports, period),
    };
    await end(exitCodeOfReport(report), {
      ...counts,
      readiness: readinessFigures(report.readiness),
      outcome,
    });
    return closed;
  } catch (error) {
    await end(exitCodeOf(error), { error: errorNote(error) });
    throw error;
  }
};

const noteLine = async ({ state = '' }: Noting, line: RunLine): Promise<void> =>
  appendFile(fileOf(state), `${JSON.stringify(line)}\n`, { mode: 0o600 });

/** Returns the runs of an entity, oldest first. A line that a kill cut short says nothing. */
export const runsOf = async (state: string, entity: string): Promise<readonly RunNote[]> => {
  const text = await readFile(fileOf(state), 'utf8').catch(() => '');
  const runs = new Map<string, RunLine>();
  for (const line of text.split('\n')) {
    const run = parsed(line);
    if (run?.entity === entity) runs.set(run.id, run);
  }
  const complete = new Map<string, RunLine>();
  for (const run of runs.values()) {
    if (isComplete({ exitCode: run.exitCode ?? null })) complete.set(run.period, run);
  }
  return [...runs.values()].map((run) => ({
    ...{ period: run.period, pipeline: run.pipeline, started: run.started },
    finished: run.finished ?? null,
    exitCode: run.exitCode ?? null,
    filesOf: complete.get(run.period)?.started ?? null,
    filesAreCurrent: complete.get(run.period) === run,
    figures: run.figures ?? null,
  }));
};

const parsed = (line: string): RunLine | undefined => {
  try {
    return JSON.parse(line) as RunLine;
  } catch {
    return undefined;
  }
};
