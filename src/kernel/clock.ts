import { type Instant, instant } from './calendar.ts';

/** Where "now" comes from. Injected everywhere, so that nothing but the composition root reads the real time. */
export type Clock = { readonly now: () => Instant };

export const systemClock: Clock = { now: () => instant(Date.now()) };

export const fixedClock = (at: Instant): Clock => ({ now: () => at });
