import { join } from 'node:path';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { buildClose } from '../../src/app/close/build-close.ts';
import { loadConfiguration } from '../../src/close/configuration/load-configuration.ts';
import type { ClosePorts } from '../../src/index.ts';
import { instant } from '../../src/kernel/calendar.ts';
import { fixedClock } from '../../src/kernel/clock.ts';
import type { Watch } from '../../src/runtime/pipeline.ts';
import { silentProgress } from '../../src/runtime/progress.ts';

/** Work in this process with the ports of the configuration in a folder, with its databases and its output there. */
export const portsHere = async <Result>(
  folder: string,
  work: (ports: ClosePorts & Watch) => Promise<Result>,
  more: Partial<Parameters<typeof buildClose>[0]> = {},
): Promise<Result> =>
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
      isEnding: () => false,
      process: process.pid,
      ...more,
    },
    (ports) => work({ ...ports, progress: silentProgress }),
  );

/** Close October 2026 of the configuration in a folder. */
export const closeHere = (folder: string, changed: (ports: ClosePorts) => ClosePorts = (ports) => ports) =>
  portsHere(folder, ({ progress, ...ports }) =>
    monthlyClose.run({ ...changed(ports), progress }, { period: '2026-10' }),
  );
