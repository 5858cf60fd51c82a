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
import { interruptedRun, type RunError, startRun } from '../../workspace/runs.ts';
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
