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
import { readinessFigures } from '../../reconcile/readiness.ts';
import { interruptedRun, type RunError, startRun } from '../../workspace/runs.ts';
import type { ClosePorts } from './close-ports.ts';
import { noteOutOfDate, removeOutOfDateNote } from './out-of-date-note.ts';
import { periodFolder } from './period-folder.ts';

/** 0 when nothing the policy forbids is open. */
export const exitCodeOfReport = (report: PeriodReport): ExitCode =>
  report.readiness.ready ? ExitCode.clean : ExitCode.open;

export type NotedRun = { readonly pipeline: string; readonly period: FilingPeriod };

type Closed = {
  readonly recomputed: object;
  readonly submitted: object;
  readonly readBack: object;
  readonly reconciled: object;
  readonly written: { readonly report: PeriodReport };
};

/**
 * Run the stages of a period, leave a note in the workspace of how it went, and until it has gone well one beside an
 * output folder that an earlier run has left. A configuration that is not that of a run which was not completed is
 * said.
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
    const readiness = readinessFigures(closed.written.report.readiness);
    const { report } = closed.written;
    const outcome = {
      variance: formatMoney(varianceOf(report)),
      open: openExceptions(report).length,
      folder: periodFolder(ports, period),
    };
    const figures = { readiness, outcome, recomputed, submitted, readBack, reconciled };
    await note.finish(
      exitCodeOfReport(closed.written.report),
      plain({ configuration, ...wire(ports), ...figures }),
    );
    ports.published?.(closed.written.report);
    return closed;
  } catch (error) {
    await note.finish(exitCodeOf(error), plain({ configuration, ...wire(ports), error: errorNote(error) }));
    throw error;
  }
};

/** Note a run that ended before its first stage, because the tax service could not be reached or has another key. */
export const recordFailedStart = async (
  ports: Pick<ClosePorts, 'workspace' | 'clock' | 'configuration' | 'output'>,
  { pipeline, period }: NotedRun,
  error: unknown,
): Promise<void> => {
  // It did nothing, so a later run still goes on from where the one before it was cut off.
  const figures = { configuration: (await interruptedRun(ports.workspace, period.label))?.configuration };
  const note = await startRun(ports.workspace, ports.clock, { pipeline, period: period.label, figures });
  await noteOutOfDate(ports, period);
  await note.finish(exitCodeOf(error), { ...figures, error: errorNote(error) });
};

/** What stopped a run, for anyone who asks later. */
const errorNote = (error: unknown): RunError => {
  const designed = designedError(error);
  if (designed) return { code: designed.code, message: designed.message, nextStep: designed.nextStep };
  return { code: 'E_DEFECT', message: error instanceof Error ? error.message : String(error) };
};

const CHANGED =
  'the configuration has changed since the last run, which was not completed; what depends on it is done again';

/** What went to a remote service and how fast it answered: for the note of the run, never for its output. */
const wire = ({ metered }: ClosePorts): object => (metered ? { service: metered() } : {});

const plain = (figures: object): Json => JSON.parse(JSON.stringify(figures)) as Json;
