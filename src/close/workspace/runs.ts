import { randomUUID } from 'node:crypto';
import type { Instant } from '../../kernel/calendar.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/digest.ts';
import type { Workspace } from './workspace.ts';

/** What a run leaves behind for whoever asks later how it went. A run without an end was killed. */
export type OpenRun = { readonly finish: (exitCode: number, figures: Json) => Promise<void> };

type Beginning = {
  readonly pipeline: string;
  readonly period: string;
  /** What is known of it before it ends. */
  readonly figures: { readonly configuration: string | undefined };
};

/** Note that a run begins. Times, latencies and run ids stay here and never reach the output folder. */
export const startRun = async (
  workspace: Workspace,
  clock: Clock,
  { pipeline, period, figures: first }: Beginning,
): Promise<OpenRun> => {
  const row = { id: randomUUID(), entity: workspace.entity, pipeline, period, started: clock.now() };
  await workspace.upsert('run', [
    { ...row, finished: null, exit_code: null, figures: JSON.stringify(first) },
  ]);
  return {
    finish: (exitCode, figures) =>
      workspace.upsert('run', [
        { ...row, finished: clock.now(), exit_code: exitCode, figures: JSON.stringify(figures) },
      ]),
  };
};

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
  /** What it counted, calls to a remote service among it. */
  readonly figures: Json;
};

/** Exit codes of runs that went through and wrote their files. */
const COMPLETE: ReadonlySet<number | null> = new Set([0, 1]);

/** What the last run of a period began with, when it did not write its files. */
export const cutOffRun = async (
  workspace: Workspace,
  period: string,
): Promise<{ readonly configuration?: string } | undefined> => {
  const last = (await lastRuns(workspace)).find((run) => run.period === period);
  if (last === undefined || COMPLETE.has(last.exitCode)) return undefined;
  return last.figures as { readonly configuration?: string };
};

/** The last run of every period, by period. */
export const lastRuns = async ({ tables, entity }: Workspace): Promise<readonly RunNote[]> => {
  const rows = await tables
    .selectFrom('run')
    .select(['period', 'pipeline', 'started', 'finished', 'exit_code', 'figures'])
    .where('entity', '=', entity)
    .orderBy('period')
    .orderBy('started')
    .execute();
  const last = new Map(rows.map((row) => [row.period, row]));
  const complete = new Map(
    rows.filter((row) => COMPLETE.has(row.exit_code)).map((row) => [row.period, row.started]),
  );
  return [...last.values()].map(({ period, pipeline, started, finished, exit_code, figures }) => ({
    period,
    pipeline,
    started: started as Instant,
    finished: finished as Instant | null,
    exitCode: exit_code,
    filesOf: (complete.get(period) ?? null) as Instant | null,
    figures: JSON.parse(figures) as Json,
  }));
};
