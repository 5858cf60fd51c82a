import { randomUUID } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instant } from '../../../kernel/calendar.ts';
import type { Json } from '../../../kernel/digest.ts';
import { designedError } from '../../../kernel/disk-failure.ts';
import { ExitCode, exitCodeOf } from '../../../kernel/exit-code.ts';
import { formatMoney } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { provePublishable } from '../../../runtime/publish-folder.ts';
import { openExceptions, type PeriodReport, varianceOf } from '../../figures/period-report.ts';
import type { OutdatedCause } from '../../periods/outdated-closings.ts';
import { readinessFigures } from '../../reconcile/readiness.ts';
import { isComplete, type RunError, type RunNote } from '../../workspace/runs.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ClosePorts } from './close-ports.ts';
import { noteOutOfDate, removeOutOfDateNote } from './out-of-date-note.ts';
import { periodFolder } from './period-folder.ts';

/** Returns 0 when nothing that the policy forbids is open. */
export const exitCodeOfReport = (report: Pick<PeriodReport, 'readiness'>): ExitCode =>
  report.readiness.ready ? ExitCode.clean : ExitCode.open;

/** A closed period that has to be closed again. */
export type OutdatedPeriod = { readonly label: string; readonly cause: OutdatedCause };

/** What a run that has just begun will close. */
export type NotedStart = {
  readonly pipeline: string;
  readonly periods: (workspace: Workspace) => Promise<readonly FilingPeriod[]>;
};

/** Returns the error that stopped a run, as it is recorded. */
const errorNote = (error: unknown): RunError => {
  const designed = designedError(error);
  if (designed) return { code: designed.code, message: designed.message, nextStep: designed.nextStep };
  return { code: 'E_DEFECT', message: error instanceof Error ? error.message : String(error) };
};

const plain = (figures: object): Json => JSON.parse(JSON.stringify(figures)) as Json;

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
