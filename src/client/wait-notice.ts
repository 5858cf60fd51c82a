import { NoAnswerError, type Transport } from './transport.ts';

export type Notice = {
  /** Notes what the wire answers; goes next to it. */
  readonly watchWire: (send: Transport) => Transport;
  /** Notes which calls are under way; goes around everything that waits or tries again. */
  readonly watchCalls: (send: Transport) => Transport;
};

/** So long no one wonders. */
const FIRST_MS = 3_000;
const LOOK_MS = 500;

/**
 * Say when calls are under way and none of them has come back for three seconds: the service is slow, asks to be left
 * alone, or fails and is tried again. It is said again when the wait has doubled.
 */
export const waitNotice = (tell: (text: string) => void, nowMs: () => number): Notice => {
  let underWay = 0;
  let lastMs = 0;
  let nextMs = FIRST_MS;
  let reason = '';
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const waitedMs = nowMs() - lastMs;
    if (waitedMs < nextMs) return;
    tell(`waiting for the tax service for ${Math.round(waitedMs / 1000)} s${reason}`);
    nextMs = waitedMs * 2;
  };
  const moved = (): void => {
    lastMs = nowMs();
    nextMs = FIRST_MS;
  };
  const began = (): void => {
    if (underWay === 0) {
      moved();
      timer = setInterval(look, LOOK_MS).unref();
    }
    underWay += 1;
  };
  const ended = (): void => {
    underWay -= 1;
    moved();
    reason = '';
    if (underWay === 0) clearInterval(timer);
  };
  return {
    watchWire: (send) => async (call) => {
      try {
        const reply = await send(call);
        if (reply.status === 429) reason = ': it asks for a pause (429)';
        else if (reply.status >= 500) reason = `: it answered ${reply.status} and is asked again`;
        return reply;
      } catch (error) {
        if (error instanceof NoAnswerError) reason = `: ${error.message}; it is asked again`;
        throw error;
      }
    },
    watchCalls: (send) => async (call) => {
      began();
      try {
        return await send(call);
      } finally {
        ended();
      }
    },
  };
};
