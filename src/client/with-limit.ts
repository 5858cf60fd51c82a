import pLimit from 'p-limit';
import type { Transport } from './transport.ts';

/** Have at most so many calls under way, however many callers there are; one that is tried again is still under way. */
export const withLimit = (send: Transport, callsAtOnce: number): Transport => {
  const gate = pLimit(callsAtOnce);
  return (call) => gate(() => send(call));
};
