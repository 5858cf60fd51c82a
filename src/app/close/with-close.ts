import type { LoadedConfiguration } from '../../close/configuration/load-configuration.ts';
import { systemClock } from '../../kernel/calendar.ts';
import type { ClosePorts } from '../../run/close-ports.ts';
import type { Watch } from '../../runtime/pipeline.ts';
import { silentProgress } from '../../runtime/progress.ts';
import { programVersion } from '../program.ts';
import { buildClose } from './build-close.ts';

/**
 * Runs work of a program that uses the library with everything a close has: the run lock and the tax service. The key of a remote service comes from the environment. Nothing is printed.
 */
export const withClose = <Result>(
  configuration: LoadedConfiguration,
  environment: Readonly<Record<string, string | undefined>>,
  work: (close: ClosePorts & Watch) => Promise<Result>,
): Promise<Result> =>
  buildClose(
    {
      configuration,
      output: undefined,
      content: undefined,
      recompute: false,
      maxCalculations: undefined,
      clock: systemClock,
      version: programVersion(),
      variable: (name) => environment[name],
      isEnding: () => false,
      process: process.pid,
    },
    (close) => work({ ...close, progress: silentProgress }),
  );
