import { randomUUID } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/digest.ts';
import type { Workspace } from './workspace.ts';

/** What a run leaves behind for whoever asks later how it went. A run without an end was killed. */
export type OpenRun = { readonly finish: (exitCode: number, figures: Json) => Promise<void> };

/** Note that a run begins. Times, latencies and run ids stay here and never reach the output folder. */
export const startRun = async (
  workspace: Workspace,
  clock: Clock,
  { pipeline, period }: { readonly pipeline: string; readonly period: string },
): Promise<OpenRun> => {
  const row = { id: randomUUID(), entity: workspace.entity, pipeline, period, started: clock.now() };
  await workspace.upsert('run', [{ ...row, finished: null, exit_code: null, figures: '{}' }]);
  return {
    finish: (exitCode, figures) =>
      workspace.upsert('run', [
        { ...row, finished: clock.now(), exit_code: exitCode, figures: JSON.stringify(figures) },
      ]),
  };
};
