import type { NotedRun } from './close/stages/noted-run.ts';
import type { HandOutOptions } from './queue/hand-out-batches.ts';

/** What a close may be asked for beside its configuration. */
export type CloseOptions = {
  readonly output: string | undefined;
  readonly content: string | undefined;
  readonly recompute: boolean;
  /** Instead of the configuration's. */
  readonly maxCalculations: number | undefined;
  /** What is to be noted as stopped when the tax service cannot even be reached. */
  readonly run?: NotedRun;
  /** Told when a remote service keeps the run waiting. */
  readonly onWait?: ((text: string) => void) | undefined;
  /** Hand batches out to workers. */
  readonly workers?: HandOutOptions | undefined;
  /** Instead of what the machine and the number of sales suggest. */
  readonly threads?: ThreadOptions;
};

export type ThreadOptions = {
  /** Threads beside this one. */
  readonly others?: number;
  /** Below so many sales of a period they are left alone. */
  readonly salesMin?: number;
};
