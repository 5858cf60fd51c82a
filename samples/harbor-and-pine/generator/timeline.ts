import { randomOf } from './random.ts';
import { type Instant, storeTime } from './store-time.ts';

export type Slot = { readonly number: number; readonly createdAt: Instant };

const SEED = 20_261_031;
const FIRST_NUMBER = 5001;
/** The first and last minutes of the month, from both sides: #5009 and #5010, #5309 and #5310. */
const EDGES = ['2026-09-30 23:40:51', '2026-10-01 00:15:22', '2026-10-31 23:30:00', '2026-11-01 00:10:00'];

const two = (part: number): string => String(part).padStart(2, '0');

/** So many orders on days of one month, between six in the morning and ten at night. */
const ordersOf = (month: string, days: readonly [number, number], count: number, seed: number): Instant[] => {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => {
    const day = two(random.int(...days));
    const clock = `${two(random.int(6, 21))}:${two(random.int(0, 59))}:${two(random.int(0, 59))}`;
    return storeTime(`${month}-${day} ${clock}`);
  });
};

/** When each order was placed: 9 in September, 300 in October, 6 in November, numbered in order of time. */
export const timeline = (): Slot[] =>
  [
    ...ordersOf('2026-09', [21, 29], 8, SEED),
    ...ordersOf('2026-10', [1, 31], 298, SEED + 1),
    ...ordersOf('2026-11', [1, 4], 5, SEED + 2),
    ...EDGES.map(storeTime),
  ]
    .sort((a, b) => a - b)
    .map((createdAt, index) => ({ number: FIRST_NUMBER + index, createdAt }));
