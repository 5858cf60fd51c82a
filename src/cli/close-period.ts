import { monthlyClose } from '../../pipelines/monthly-close.ts';
import type { ClosePorts } from '../close/stages/close-ports.ts';
import { notedRun } from '../close/stages/noted-run.ts';
import type { Watch } from '../runtime/pipeline.ts';
import { periodOf } from './close-options.ts';
import type { Closed } from './close-summary.ts';

/** Run the pipeline of a period, with a note in the workspace of how it went. */
export const closePeriod = (ports: ClosePorts & Watch, label: string): Promise<Closed> =>
  notedRun(ports, { pipeline: monthlyClose.name, period: periodOf(label) }, () =>
    monthlyClose.run(ports, { period: label }),
  );
