import { setMaxListeners } from 'node:events';
import { TieoutError } from '../kernel/errors.ts';
import { NoAnswerError, type Transport } from './transport.ts';

export type CircuitOptions = {
  /** Calls in a row, over all connections, that failed: from so many on the service counts as out. */
  readonly failuresMax: number;
  /** It also has to have been silent for so long, so that a restart of the service ends no run. */
  readonly silenceMs: number;
  /** Called once, when the service counts as out. */
  readonly onOutage: () => void;
  readonly nowMs: () => number;
};

export const SILENCE_MS = 5_000;

export type Circuit = {
  readonly send: Transport;
  /** Aborted when the service counts as out, with the error that ends the run. */
  readonly outage: AbortSignal;
};

/** From here on an answer says that something is wrong with the service and not with the call. */
const SERVICE_FAILED = 500;

/**
 * Watch for an outage. A call that fails is another call's chance; but when one after the other fails, no one has to
 * wait out all of its tries: every call ends at once, and the run with them, to be resumed later.
 */
export const withCircuit = (send: Transport, options: CircuitOptions): Circuit => {
  const { failuresMax, silenceMs, onOutage, nowMs } = options;
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  let failures = 0;
  let answeredMs = nowMs();
  const answered = (): void => {
    failures = 0;
    answeredMs = nowMs();
  };
  const failed = (problem: string): void => {
    failures += 1;
    if (failures < failuresMax || nowMs() - answeredMs < silenceMs || controller.signal.aborted) return;
    controller.abort(outageError(failures, problem));
    onOutage();
  };
  return {
    outage: controller.signal,
    send: async (call) => {
      controller.signal.throwIfAborted();
      try {
        const reply = await send(call);
        if (reply.status >= SERVICE_FAILED) failed(`answered ${reply.status}`);
        else answered();
        return reply;
      } catch (error) {
        if (error instanceof NoAnswerError) failed(error.message);
        throw error;
      }
    },
  };
};

const outageError = (failures: number, problem: string): TieoutError =>
  new TieoutError({
    code: 'E_SERVICE_UNAVAILABLE',
    recovery: 'retry',
    message: `the tax service is out: ${failures} calls in a row failed, the last one with: ${problem}`,
    nextStep: 'Run the same command again when the service is back; it continues where it stopped',
    details: { isOutage: true },
  });
