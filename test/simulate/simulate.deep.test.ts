import { afterAll, beforeAll, expect, test } from 'vitest';
import { planText } from './plan.ts';
import { seedTrier, type TrySeed } from './try-seed.ts';
import { buildWorld, type World } from './world.ts';

/** `npm run simulate -- --seeds 1-10000` lives thousands. */
const SEEDS = 100;
/** Its kills show that a record counts as held only after it was sent; those of the first hundred do not. */
const FURTHER_SEEDS = [555];

let world: World;
let trySeed: TrySeed;
beforeAll(async () => {
  world = await buildWorld();
  trySeed = seedTrier(world);
});
afterAll(() => world.remove());

test('closes that are killed, refused and cut off end as the plan of their seed says', async () => {
  const failed: string[] = [];
  let kills = 0;
  const seeds = [...Array.from({ length: SEEDS }, (_, index) => index + 1), ...FURTHER_SEEDS];
  for (const seed of seeds) {
    const { plan, problems, ...tried } = await trySeed(seed);
    kills += tried.kills.length;
    if (problems.length > 0) failed.push(`${planText(plan)}\n${problems.join('\n')}`);
  }
  expect(failed).toEqual([]);
  expect(kills).toBeGreaterThan(SEEDS);
});

test('the same seed is the same history, effect by effect', async () => {
  const told = async (): Promise<readonly string[]> => {
    const lines: string[] = [];
    for (const seed of [3, 41, 130]) await trySeed(seed, (line) => lines.push(line));
    return lines;
  };
  expect(await told()).toEqual(await told());
});
