import pLimit from 'p-limit';
import pThrottle from 'p-throttle';
import type { Transport } from './transport.ts';

/** Have at most so many calls under way, however many callers there are; one that is tried again is still under way. */
export const withLimit = (send: Transport, callsAtOnce: number): Transport => {
  const gate = pLimit(callsAtOnce);
  return (call) => gate(() => send(call));
};

const SECOND_MS = 1000;

/** Send at most so many calls a second, spread evenly, so that a limit of the service is not met at all. */
export const withPace = (send: Transport, callsPerSecond: number): Transport =>
  pThrottle({ limit: 1, interval: SECOND_MS / callsPerSecond })(send);

/** Ask before every call, repeated ones included, whether it may still be made. */
export const withGuard =
  (send: Transport, mayCall: () => void): Transport =>
  async (call) => {
    mayCall();
    return send(call);
  };
