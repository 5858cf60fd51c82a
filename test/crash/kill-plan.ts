import { type Random, seeded } from '../hostile/random.ts';
import { type KillPoint, OPERATIONS, type Tally } from './kill-point.ts';

/** The power goes this long after a stage has been reported; the empty stage is the start of the process. */
export type KillDelay = { readonly stage: string; readonly milliseconds: number };
export type Kill = KillPoint | KillDelay;

const STAGES = ['', 'extract:', 'late:', 'recompute:', 'submit:', 'read back:', 'reconcile:'] as const;
const KILLS_MAX = 3;
const START_MS_MAX = 900;
const STAGE_MS_MAX = 120;
const DURING_MICROSECONDS_MAX = 2_000;

/**
 * One to three kills in a row, the same ones for the same seed: three of four at a counted point, the others by delay.
 * Where there are further threads, half of the points are counted there.
 */
export const killPlan = (seed: number, tally: Tally, hasThreads: boolean): readonly Kill[] => {
  const random = seeded(seed);
  const count = 1 + random.below(KILLS_MAX);
  return Array.from({ length: count }, () =>
    random.below(4) === 0
      ? delayOf(random)
      : hasThreads && random.below(2) === 0
        ? pointInThread(random)
        : pointOf(random, tally),
  );
};

const delayOf = (random: Random): KillDelay => {
  const stage = random.pick(STAGES);
  return { stage, milliseconds: random.below(stage === '' ? START_MS_MAX : STAGE_MS_MAX) };
};

/** About as many as a thread does of a month of many sales. Who takes which day is chance: some points are never reached. */
const IN_THREAD = [
  ['statement', 1_600],
  ['begin', 90],
  ['commit', 60],
  ['record', 8],
] as const;

const pointInThread = (random: Random): KillPoint => {
  const [operation, count] = random.pick(IN_THREAD);
  return {
    operation,
    nth: 1 + random.below(count),
    when: random.pick(['before', 'after']),
    afterMicroseconds: 0,
    inThread: true,
  };
};

const pointOf = (random: Random, tally: Tally): KillPoint => {
  const operation = random.pick(OPERATIONS.filter((name) => tally[name] !== undefined));
  return {
    operation,
    nth: 1 + random.below(tally[operation] ?? 1),
    when: random.pick(['before', 'during', 'after']),
    afterMicroseconds: random.below(DURING_MICROSECONDS_MAX),
  };
};
