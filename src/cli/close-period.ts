import { monthlyClose } from '../../pipelines/monthly-close.ts';
import type { ClosePorts } from '../close/stages/close-ports.ts';
import { noteOutOfDate, removeOutOfDateNote } from '../close/stages/out-of-date-note.ts';
import { startRun } from '../close/workspace/runs.ts';
import type { Watch } from '../runtime/pipeline.ts';
import { periodOf } from './close-options.ts';
import { type Closed, exitCodeOfClose } from './close-summary.ts';
import { exitCodeOf } from './exit-code.ts';

type ClosePipeline = { readonly run: (ports: ClosePorts & Watch, params: unknown) => Promise<Closed> };

/**
 * Run the pipeline of a month, leave a note in the workspace of how it went, and until it has gone well one beside
 * an output folder that an earlier run has left.
 */
export const closePeriod = async (
  ports: ClosePorts & Watch,
  label: string,
  pipeline: ClosePipeline = monthlyClose,
): Promise<Closed> => {
  const period = periodOf(label);
  const note = await startRun(ports.workspace, ports.clock, { pipeline: monthlyClose.name, period: label });
  try {
    await noteOutOfDate(ports, period);
    const closed = await pipeline.run(ports, { period: label });
    await removeOutOfDateNote(ports, period);
    const { recomputed, submitted, pulledBack, reconciled } = closed;
    await note.finish(exitCodeOfClose(closed), {
      ...wire(ports),
      recomputed,
      submitted,
      pulledBack,
      reconciled,
    });
    return closed;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    await note.finish(exitCodeOf(error), { ...wire(ports), error: said });
    throw error;
  }
};

/** What went to a remote service and how fast it answered: for the note of the run, never for its output. */
const wire = ({ metered }: ClosePorts) => (metered ? { service: metered() } : {});
