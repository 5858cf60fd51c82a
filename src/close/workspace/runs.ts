import type { Instant } from '../../kernel/calendar.ts';
import type { Json } from '../../kernel/digest.ts';
import { rowsIn } from './queries.ts';
import type { RunRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** The error that stopped a run, and what to do about it when that is known. */
export type RunError = { readonly code: string; readonly message: string; readonly nextStep?: string };

/** The outcome of the last run of a period. */
export type RunNote = {
  readonly period: string;
  readonly pipeline: string;
  readonly started: Instant;
  readonly finished: Instant | null;
  /** `null` while it is running, and permanently when it was killed. */
  readonly exitCode: number | null;
  /** When the run began that wrote the files in the output folder; `null` when no run ever completed. */
  readonly filesOf: Instant | null;
  /** Whether that is this run. */
  readonly filesAreCurrent: boolean;
  /** Its counters, including calls to a remote service. */
  readonly figures: Json;
};

/** Exit codes of runs that completed and wrote their files. */
const COMPLETE: ReadonlySet<number | null> = new Set([0, 1]);

export const isComplete = ({ exitCode }: Pick<RunNote, 'exitCode'>): boolean => COMPLETE.has(exitCode);

/** Returns the last run of every period, ordered by period. */
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

/** A run on its own. */
export type Run = Omit<RunNote, 'filesOf' | 'filesAreCurrent'>;

/** Returns the newest runs of all periods, or of one, newest first. */
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
 * Whether a run may be running while someone holds the run lock: it has not ended, and belongs to the process that
 * started the newest run. An unfinished run of another process was killed.
 */
export const mayBeAtWork = (run: Pick<Run, 'exitCode' | 'figures'>, newest: Run | undefined): boolean =>
  run.exitCode === null && newest !== undefined && processOf(run) === processOf(newest);

const processOf = ({ figures }: Pick<Run, 'figures'>): string | undefined =>
  (figures as { readonly process?: string } | null)?.process;

/** Returns the error that stopped a run; `undefined` when it was not stopped. */
export const errorOf = ({ figures }: Pick<Run, 'figures'>): RunError | undefined =>
  (figures as { readonly error?: RunError } | null)?.error;

/** Returns the latest start of a run, by the clock of that time; `undefined` when there are no runs. */
export const latestStart = async (workspace: Workspace): Promise<Instant | undefined> => {
  const latest = await rowsIn(workspace, 'run')
    .select(({ fn }) => fn.max('started').as('started'))
    .executeTakeFirst();
  return (latest?.started ?? undefined) as Instant | undefined;
};
