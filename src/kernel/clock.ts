import type { Instant } from './calendar.ts';

/** The source of "now". It is injected everywhere, so that only the composition root reads the real time. */
export type Clock = { readonly now: () => Instant };

// Every command needs a clock but few need a calendar, so only the type of an instant is imported from there.
export const systemClock: Clock = { now: () => Date.now() as Instant };

export const fixedClock = (at: Instant): Clock => ({ now: () => at });
