import type { Instant } from '../../../../kernel/calendar.ts';

/** The instants that a record without a stated zone had when it was read in other time zones. */
export type EarlierInstants = (at: Instant) => readonly Instant[];
