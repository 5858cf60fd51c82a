import { buildClose } from '../../src/app/close/build-close.ts';
import { loadConfiguration } from '../../src/close/configuration/load-configuration.ts';
import type { ClosePorts } from '../../src/index.ts';
import { instant } from '../../src/kernel/calendar.ts';
import { fixedClock } from '../../src/kernel/clock.ts';
import type { Watch } from '../../src/runtime/pipeline.ts';
import { silentProgress } from '../../src/runtime/progress.ts';
import { VERSION } from './tieout.ts';

/** What pipelines work with. */
export type PipelinePorts = ClosePorts & Watch;
/** What a close is built of, where it is not to be as usual. */
export type PortOptions = Partial<Parameters<typeof buildClose>[0]>;

/** Work with what a pipeline of a configuration works with, on November 2, 2026 by the clock. */
export const withPorts = async <Result>(
  config: string,
  work: (ports: PipelinePorts) => Promise<Result>,
  options: PortOptions = {},
): Promise<Result> =>
  buildClose(
    {
      configuration: await loadConfiguration(config),
      output: undefined,
      content: undefined,
      recompute: false,
      maxCalculations: undefined,
      clock: fixedClock(instant(Date.UTC(2026, 10, 2))),
      version: VERSION,
      variable: () => undefined,
      isEnding: () => false,
      process: process.pid,
      ...options,
    },
    (ports) => work({ ...ports, progress: silentProgress }),
  );
