import type { Instant } from './calendar.ts';

/** Where "now" comes from. Injected everywhere, so that nothing but the composition root reads the real time. */
export type Clock = { readonly now: () => Instant };

// Every command needs a clock, and few a calendar: only the type of an instant is taken from there.
export const systemClock: Clock = { now: () => Date.now() as Instant };

export const fixedClock = (at: Instant): Clock => ({ now: () => at });
