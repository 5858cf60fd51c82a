import { setTimeout as pause } from 'node:timers/promises';
import type { Transport } from './transport.ts';

export type RestOptions = {
  /** Longer than this no one waits. */
  readonly restMaxMs: number;
  readonly nowMs: () => number;
  readonly random: () => number;
};

/** What waited together does not start again together: the calls are spread over this part of the rest. */
const SPREAD = 0.25;

/**
 * When the service asks with `Retry-After` to be left alone, it means the whole account: until then no call is sent,
 * neither the one that was refused or any other.
 */
export const withRest = (send: Transport, { restMaxMs, nowMs, random }: RestOptions): Transport => {
  let untilMs = 0;
  let lengthMs = 0;
  return async (call) => {
    for (let leftMs = untilMs - nowMs(); leftMs > 0; leftMs = untilMs - nowMs())
      await pause(leftMs + random() * SPREAD * lengthMs);
    const reply = await send(call);
    const wantedMs = reply.retryAfterMs ?? 0;
    if (wantedMs > 0 && wantedMs <= restMaxMs && nowMs() + wantedMs > untilMs) {
      untilMs = nowMs() + wantedMs;
      lengthMs = wantedMs;
    }
    return reply;
  };
};
