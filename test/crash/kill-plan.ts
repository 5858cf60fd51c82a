import { type Random, seeded } from '../hostile/random.ts';
import { type KillPoint, OPERATIONS, type Tally } from './kill-point.ts';

/** The power goes this long after a stage has been reported; the empty stage is the start of the process. */
export type KillDelay = { readonly stage: string; readonly milliseconds: number };
export type Kill = KillPoint | KillDelay;

const STAGES = ['', 'extract:', 'recompute:', 'submit:', 'read back:', 'reconcile:'] as const;
const KILLS_MAX = 3;
const START_MS_MAX = 900;
const STAGE_MS_MAX = 120;
const DURING_MICROSECONDS_MAX = 2_000;

/** One to three kills in a row, the same ones for the same seed: three of four at a counted point, the others by delay. */
export const killPlan = (seed: number, tally: Tally): readonly Kill[] => {
  const random = seeded(seed);
  const count = 1 + random.below(KILLS_MAX);
  return Array.from({ length: count }, () =>
    random.below(4) === 0 ? delayOf(random) : pointOf(random, tally),
  );
};

const delayOf = (random: Random): KillDelay => {
  const stage = random.pick(STAGES);
  return { stage, milliseconds: random.below(stage === '' ? START_MS_MAX : STAGE_MS_MAX) };
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
