import { monthlyClose } from '../../pipelines/monthly-close.ts';
import type { ClosePorts } from '../close/stages/close-ports.ts';
import { startRun } from '../close/workspace/runs.ts';
import type { Progress } from '../runtime/progress.ts';
import { type Closed, exitCodeOfClose } from './close-summary.ts';
import { exitCodeOf } from './exit-code.ts';

/** Run the pipeline of a month, and leave a note in the workspace of how it went. */
export const closePeriod = async (
  ports: ClosePorts & { readonly progress: Progress },
  period: string,
): Promise<Closed> => {
  const note = await startRun(ports.workspace, ports.clock, { pipeline: monthlyClose.name, period });
  try {
    const closed = await monthlyClose.run(ports, { period });
    const { recomputed, submitted, pulledBack, reconciled } = closed;
    await note.finish(exitCodeOfClose(closed), { recomputed, submitted, pulledBack, reconciled });
    return closed;
  } catch (error) {
    await note.finish(exitCodeOf(error), { error: error instanceof Error ? error.message : String(error) });
    throw error;
  }
};
