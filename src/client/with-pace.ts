import pThrottle from 'p-throttle';
import type { Transport } from './transport.ts';

const SECOND_MS = 1000;

/** Send at most so many calls a second, spread evenly, so that a limit of the service is not met at all. */
export const withPace = (send: Transport, callsPerSecond: number): Transport =>
  pThrottle({ limit: 1, interval: SECOND_MS / callsPerSecond })(send);
