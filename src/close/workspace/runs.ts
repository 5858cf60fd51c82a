import { randomUUID } from 'node:crypto';
import type { Instant } from '../../kernel/calendar.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/digest.ts';
import { lastNumber, rowsIn } from './queries.ts';
import type { RunRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** What a run leaves behind for anyone who asks later how it went. A run without an end was killed. */
export type OpenRun = { readonly finish: (exitCode: number, figures: Json) => Promise<void> };

type Beginning = {
  readonly pipeline: string;
  readonly period: string;
  /** What is known of it before it ends. */
  readonly figures: { readonly configuration: string | undefined };
};

/** What all runs of this process have in common, such as months of a backfill that are closed at once. */
const PROCESS = randomUUID();

/** Note that a run begins. Times, latencies and run ids stay here and never reach the output folder. */
export const startRun = async (
  workspace: Workspace,
  clock: Clock,
  { pipeline, period, figures: first }: Beginning,
): Promise<OpenRun> => {
  const { entity } = workspace;
  // Only who has the run lock begins runs, so it cannot grow in the meantime.
  const number = (await lastNumber(workspace, 'run')) + 1;
  const row = { id: randomUUID(), entity, number, pipeline, period, started: clock.now() };
  await workspace.upsert('run', [
    { ...row, finished: null, exit_code: null, figures: JSON.stringify({ ...first, process: PROCESS }) },
  ]);
  return {
    finish: (exitCode, figures) =>
      workspace.upsert('run', [
        { ...row, finished: clock.now(), exit_code: exitCode, figures: JSON.stringify(figures) },
      ]),
  };
};

/** What stopped a run, and what to do about it where that is known. */
export type RunError = { readonly code: string; readonly message: string; readonly nextStep?: string };

/** How the last run of a period went. */
export type RunNote = {
  readonly period: string;
  readonly pipeline: string;
  readonly started: Instant;
  readonly finished: Instant | null;
  /** `null` while it is at work, and for ever when it was killed. */
  readonly exitCode: number | null;
  /** When the run began whose files stand in the output folder; `null` when none was ever completed. */
  readonly filesOf: Instant | null;
  /** Whether that is this run. */
  readonly filesAreCurrent: boolean;
  /** What it counted, calls to a remote service among it. */
  readonly figures: Json;
};

/** Exit codes of runs that went through and wrote their files. */
const COMPLETE: ReadonlySet<number | null> = new Set([0, 1]);

export const isComplete = ({ exitCode }: Pick<RunNote, 'exitCode'>): boolean => COMPLETE.has(exitCode);

/** What the last run of a period began with, when it did not write its files. */
export const interruptedRun = async (
  workspace: Workspace,
  period: string,
): Promise<{ readonly configuration?: string } | undefined> => {
  const last = (await lastRuns(workspace)).find((run) => run.period === period);
  if (last === undefined || COMPLETE.has(last.exitCode)) return undefined;
  return last.figures as { readonly configuration?: string };
};

/** The last run of every period, by period. */
export const lastRuns = async (workspace: Workspace): Promise<readonly RunNote[]> => {
  const rows = await rowsIn(workspace, 'run')
    .select(['period', 'pipeline', 'started', 'finished', 'exit_code', 'figures'])
    .orderBy('period')
    .orderBy('number')
    .execute();
  const last = new Map(rows.map((row) => [row.period, row]));
  const complete = new Map(rows.filter((row) => COMPLETE.has(row.exit_code)).map((row) => [row.period, row]));
  return [...last.values()].map((row) => ({
    ...runOf(row),
    filesOf: (complete.get(row.period)?.started ?? null) as Instant | null,
    filesAreCurrent: complete.get(row.period) === row,
  }));
};

/** A run by itself. */
export type Run = Omit<RunNote, 'filesOf' | 'filesAreCurrent'>;

/** The newest runs of all periods, or of one, the newest first. */
export const newestRuns = async (
  workspace: Workspace,
  limit: number,
  period?: string,
): Promise<readonly Run[]> => {
  const rows = await rowsIn(workspace, 'run')
    .select(['period', 'pipeline', 'started', 'finished', 'exit_code', 'figures'])
    .$if(period !== undefined, (query) => query.where('period', '=', period ?? ''))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
  return rows.map(runOf);
};

const runOf = (
  row: Pick<RunRow, 'period' | 'pipeline' | 'started' | 'finished' | 'exit_code' | 'figures'>,
): Run => ({
  period: row.period,
  pipeline: row.pipeline,
  started: row.started as Instant,
  finished: row.finished as Instant | null,
  exitCode: row.exit_code,
  figures: JSON.parse(row.figures) as Json,
});

/**
 * Whether a run is at work while somebody holds the run lock: it has not ended, and is of the process that began the
 * newest run. One of another process was killed.
 */
export const mayBeAtWork = (run: Pick<Run, 'exitCode' | 'figures'>, newest: Run | undefined): boolean =>
  run.exitCode === null && newest !== undefined && processOf(run) === processOf(newest);

const processOf = ({ figures }: Pick<Run, 'figures'>): string | undefined =>
  (figures as { readonly process?: string } | null)?.process;

/** What stopped a run; `undefined` where nothing did. */
export const errorOf = ({ figures }: Pick<Run, 'figures'>): RunError | undefined =>
  (figures as { readonly error?: RunError } | null)?.error;

/** The latest instant at which a run began by the clock of its time; `undefined` when there was none. */
export const latestStart = async (workspace: Workspace): Promise<Instant | undefined> => {
  const latest = await rowsIn(workspace, 'run')
    .select(({ fn }) => fn.max('started').as('started'))
    .executeTakeFirst();
  return (latest?.started ?? undefined) as Instant | undefined;
};
