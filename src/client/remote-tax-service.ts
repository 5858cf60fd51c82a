import pLimit from 'p-limit';
import pThrottle from 'p-throttle';
import { ServiceRefusal } from '../contract/refusal.ts';
import { contradictionOf } from '../contract/tax-result.ts';
import type { TaxService } from '../contract/tax-service.ts';
import { TieoutError } from '../kernel/errors.ts';
import { RETRY_DEFAULT, type RetryOptions, withRetry } from './calls.ts';
import { httpTaxService } from './http-tax-service.ts';
import { type PoolOptions, poolTransport, type Transport } from './transport.ts';

export type RemoteOptions = PoolOptions & {
  readonly callsPerSecond?: number | undefined;
  readonly retry?: Partial<RetryOptions>;
  /** Called before each HTTP call; if it throws, the call ends. */
  readonly mayCall?: () => void;
};

export type RemoteTaxService = {
  readonly service: TaxService;
  /** The tax content that the service names; `undefined` if it named none. */
  readonly contentName: () => string | undefined;
  readonly close: () => Promise<void>;
};

/**
 * Build the tax service at an address. From the wire inwards: every call is checked by `mayCall`, calls are paced,
 * `Retry-After` is respected, temporary failures are retried, calls in flight are limited to the number of connections,
 * answers of another tax content than the first one are refused, and so are answers that contradict themselves.
 */
export const remoteTaxService = (options: RemoteOptions): RemoteTaxService => {
  const { callsPerSecond, mayCall } = options;
  const pool = poolTransport(options);
  const wire: Transport = async (call) => {
    mayCall?.();
    return pool.send(call);
  };
  // Calls are spread evenly over a second, so that a limit of the service is never reached.
  const paced =
    callsPerSecond === undefined ? wire : pThrottle({ limit: 1, interval: 1000 / callsPerSecond })(wire);
  const retried = withRetry(paced, { ...RETRY_DEFAULT, onOutage: pool.abandon, ...options.retry });
  const named = withOneContent(withLimit(retried, options.connections), options.url);
  return {
    service: withSoundAnswers(httpTaxService(named.send, options.connections)),
    contentName: named.read,
    close: pool.close,
  };
};

/** Limit the calls in flight, regardless of the number of callers; a call that is retried still counts. */
export const withLimit = (send: Transport, callsAtOnce: number): Transport => {
  const gate = pLimit(callsAtOnce);
  return (call) => gate(() => send(call));
};

/**
 * Remember the tax content that the service names first, and refuse an answer that names another one: answers are kept
 * under the name, and while a service is restarted process by process, some come from the old content and some from the
 * new one.
 *
 * @throws {TieoutError} E_SERVICE_CHANGED
 */
const withOneContent = (
  send: Transport,
  url: string,
): { readonly send: Transport; readonly read: () => string | undefined } => {
  let named: string | undefined;
  return {
    send: async (call) => {
      const reply = await send(call);
      named ??= reply.content;
      if (reply.content !== undefined && reply.content !== named)
        throw contentChanged(url, named, reply.content);
      return reply;
    },
    read: () => named,
  };
};

const contentChanged = (url: string, before: string | undefined, now: string): TieoutError =>
  new TieoutError({
    code: 'E_SERVICE_CHANGED',
    message: `the tax content of ${url} changed during the run, from ${before} to ${now}: nothing of the new answers is kept`,
    nextStep:
      'Run the same command again when every process of the service has the same content; what the old one answered is calculated again',
  });

/**
 * Refuse calculations that contradict themselves: request such a calculation once more, and refuse it when the second
 * answer contradicts itself too.
 *
 * @throws {ServiceRefusal} 200, because the answer is not a calculation
 */
export const withSoundAnswers = (service: TaxService): TaxService => ({
  ...service,
  calculateTax: async (request) => {
    const first = await service.calculateTax(request);
    if (contradictionOf(first, request) === undefined) return first;
    const second = await service.calculateTax(request);
    const why = contradictionOf(second, request);
    if (why === undefined) return second;
    throw new ServiceRefusal(
      200,
      `its answer contradicts itself, asked twice: ${why}. Nothing of it is used; show it to the provider of the service and close again`,
      'OK',
    );
  },
});
