/** Milliseconds since 1970, as Date has them. */
export type Instant = number;

const HOUR = 3_600_000;
/** California sets its clocks back on 2026-11-01 at 2 a.m. daylight time, so the offset changes inside the export. */
const CLOCKS_BACK: Instant = Date.UTC(2026, 10, 1, 9);

const offsetHours = (instant: Instant): number => (instant < CLOCKS_BACK ? 7 : 8);

/** The instant of a wall-clock time in Sacramento, `2026-10-03 09:58:12`. */
export const storeTime = (wallClock: string): Instant => {
  const asUtc = Date.parse(`${wallClock.replace(' ', 'T')}Z`);
  const daylight = asUtc + 7 * HOUR;
  return daylight < CLOCKS_BACK ? daylight : asUtc + 8 * HOUR;
};

const wallClockOf = (instant: Instant): string =>
  new Date(instant - offsetHours(instant) * HOUR).toISOString().slice(0, 19).replace('T', ' ');

/** As Shopify prints it: `2026-10-03 09:58:12 -0700`. */
export const printStoreTime = (instant: Instant): string =>
  `${wallClockOf(instant)} -0${offsetHours(instant)}00`;

/** The business date, `2026-10-03`. */
export const storeDate = (instant: Instant): string => wallClockOf(instant).slice(0, 10);

export const addHours = (instant: Instant, hours: number): Instant => instant + hours * HOUR;
