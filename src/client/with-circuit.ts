import { setMaxListeners } from 'node:events';
import { TieoutError } from '../kernel/errors.ts';
import { NoAnswerError, type Transport } from './transport.ts';

export type CircuitOptions = {
  /** The number of failed calls in a row, over all connections, after which the service is out. */
  readonly failuresMax: number;
  /** Without a success for this long, too, so that a restart of the service does not end a run. */
  readonly silenceMs: number;
  /** Called once, when the service is out. */
  readonly onOutage: () => void;
  readonly nowMs: () => number;
};

export const SILENCE_MS = 5_000;

export type Circuit = {
  readonly send: Transport;
  /** Aborted when the service is out, with the error that ends the run. */
  readonly outage: AbortSignal;
};

/** From this status on, an answer means a fault of the service and not of the call. */
const SERVICE_FAILED = 500;

/**
 * Detect an outage (circuit breaker). After a single failure other calls may succeed; but when one after the other
 * fails, waiting for all retries is pointless: every call ends at once, and the run with them, to be resumed later.
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
    message: `the tax service is out: ${failures} calls in a row failed, the last one with: ${problem}`,
    nextStep: 'Run the same command again when the service is back; it continues where it stopped',
    details: { isOutage: true },
  });
