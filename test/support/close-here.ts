import { join } from 'node:path';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { buildClose } from '../../src/build-close.ts';
import { loadConfiguration } from '../../src/close/configuration/load-configuration.ts';
import type { ClosePorts } from '../../src/close/stages/close-ports.ts';
import { instant } from '../../src/kernel/calendar.ts';
import { fixedClock } from '../../src/kernel/clock.ts';
import { silentProgress } from '../../src/runtime/progress.ts';

/** Close October 2026 of the configuration in a folder, with its databases and its output there, in this process. */
export const closeHere = async (
  folder: string,
  changed: (ports: ClosePorts) => ClosePorts = (ports) => ports,
) =>
  buildClose(
    {
      configuration: await loadConfiguration(join(folder, 'tieout.yaml')),
      output: join(folder, 'out'),
      content: undefined,
      recompute: false,
      maxCalculations: undefined,
      clock: fixedClock(instant(Date.UTC(2026, 10, 2))),
      version: '0',
      variable: () => undefined,
      process: process.pid,
    },
    (ports) => monthlyClose.run({ ...changed(ports), progress: silentProgress }, { period: '2026-10' }),
  );
