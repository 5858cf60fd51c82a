import { type Random, seeded } from '../hostile/random.ts';
import { type Story, storyOf } from './story.ts';

/** What disturbs one run: at this thousandth of the effects that an undisturbed run of the step has. */
export type Disturbance =
  | { readonly does: 'kill'; readonly when: 'before' | 'after'; readonly thousandth: number }
  | { readonly does: 'fill the disk'; readonly thousandth: number }
  | { readonly does: 'outage'; readonly thousandth: number };

/** How one step is lived: its disturbed runs, and then one that nothing disturbs. */
export type DisturbedStep = {
  readonly index: number;
  readonly disturbances: readonly Disturbance[];
  /** The next step begins when the first disturbed run is over, so this one never comes to its end. */
  readonly isCutShort: boolean;
};

/** One disturbed life of a story. */
export type Plan = {
  readonly seed: number;
  readonly story: Story;
  /** Consecutive steps of the story; the ones before are taken as the undisturbed life left them. */
  readonly steps: readonly DisturbedStep[];
  /** The first run is the undisturbed one, killed here: it is not lived again. */
  readonly killedAt: number | undefined;
  /** Of a hundred calls to a remote service so many meet a fault. */
  readonly faultPercent: number;
  /** Milliseconds by which the clock jumps before each run, also backwards. */
  readonly clockJumps: readonly number[];
};

/** So many seeds in a row are lives of one story. */
export const SEEDS_PER_STORY = 40;
/** Among them, every so many begin where workbooks are written, if the story has such a step. */
const BOOKS_EVERY = 8;

export const planOf = (seed: number): Plan => {
  const story = storyOf(Math.ceil(seed / SEEDS_PER_STORY));
  const random = seeded(seed * 104_729);
  const isWhole = story.lateItems === 'none' && random.below(16) === 0;
  const first = isWhole ? 0 : firstStep(story, random, (seed % SEEDS_PER_STORY) % BOOKS_EVERY === 0);
  const rest = story.steps.slice(first);
  const count = isWhole ? rest.length : following(rest, random);
  const killedAt = rest[0]?.hasBooks || random.below(8) === 0 ? undefined : random.below(1_000);
  const steps = rest.slice(0, count).map(({ hasBooks }, place): DisturbedStep => {
    const howOften = place === 0 && killedAt === undefined ? [1, 1, 1, 2, 2, 3] : [0, 0, 0, 0, 0, 1, 1, 2];
    const disturbances = Array.from({ length: random.pick(howOften) }, () => disturbanceOf(random, hasBooks));
    const isDisturbed = disturbances.length > 0 || (place === 0 && killedAt !== undefined);
    const mayBeCutShort = story.lateItems === 'none' && place < count - 1 && isDisturbed;
    return { index: first + place, disturbances, isCutShort: mayBeCutShort && random.below(3) === 0 };
  });
  return {
    seed,
    story,
    steps,
    killedAt,
    faultPercent: random.pick([0, 0, 5, 20]),
    clockJumps: Array.from({ length: 5 }, () => random.pick([0, 1_000, 3_600_000, 86_400_000, -60_000])),
  };
};

const firstStep = ({ steps }: Story, random: Random, wantsBooks: boolean): number => {
  const withBooks = steps.flatMap(({ hasBooks }, index) => (hasBooks ? [index] : []));
  const others = steps.flatMap(({ hasBooks }, index) => (hasBooks ? [] : [index]));
  // Most can go wrong where a folder is published first.
  return random.pick(wantsBooks && withBooks.length > 0 ? [0, ...withBooks] : others);
};

/** Mostly one step, and now and then the next one too, which begins with what the disturbed one has left behind. */
const following = (rest: Story['steps'], random: Random): number =>
  rest.length > 1 && !rest[1]?.hasBooks && random.below(6) === 0 ? 2 : 1;

/** Where workbooks are written, half of what disturbs a run does so while it publishes, or shortly before. */
const disturbanceOf = (random: Random, hasBooks: boolean): Disturbance => {
  const thousandth = hasBooks && random.below(2) === 0 ? 500 + random.below(500) : random.below(1_000);
  const drawn = random.below(10);
  if (drawn === 0) return { does: 'fill the disk', thousandth };
  if (drawn === 1) return { does: 'outage', thousandth };
  return { does: 'kill', when: random.pick(['before', 'after']), thousandth };
};

/** The plan for a person who looks for what went wrong. */
export const planText = (plan: Plan): string =>
  `${JSON.stringify(plan, null, 1)}\nreplay it with: npm run simulate -- --seed ${plan.seed} --verbose`;
