import { setTimeout as pause } from 'node:timers/promises';
import type { TieoutError } from '../kernel/errors.ts';

const PAUSE_FIRST_MS = 1;
const PAUSE_MAX_MS = 50;

/**
 * Run `work` until it is not refused for being busy any more, waiting longer and longer in between, up to a limit.
 * Errors are put into words by `describe`; one that it does not know is thrown as it is.
 */
export const waitWhileBusy = async <Result>(
  work: () => Result,
  options: {
    readonly busyWaitMs: number;
    readonly describe: (error: unknown) => TieoutError | undefined;
  },
): Promise<Result> => {
  let waitedMs = 0;
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
    try {
      return work();
    } catch (error) {
      const described = options.describe(error) ?? error;
      const isBusy = (described as { code?: unknown }).code === 'E_DATABASE_BUSY';
      if (!isBusy || waitedMs >= options.busyWaitMs) throw described;
    }
    await pause(pauseMs);
    waitedMs += pauseMs;
  }
};
