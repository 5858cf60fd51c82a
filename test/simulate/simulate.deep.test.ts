import { expect, test } from 'vitest';
import { seedTrier } from './try-seed.ts';
import { buildWorld } from './world.ts';

/** `npm run simulate -- --seeds 1-10000` lives thousands. */
const SEEDS = Array.from({ length: 30 }, (_, index) => index + 1);

test('a command that is killed between any two effects ends, when run again, as if nothing had happened', async () => {
  const world = await buildWorld();
  const trySeed = seedTrier(world);
  let kills = 0;
  try {
    for (const seed of SEEDS) {
      const tried = await trySeed(seed);
      kills += tried.kills.length;
      expect({ seed, ...tried }).toMatchObject({ problems: [] });
    }
  } finally {
    await world.remove();
  }
  expect(kills).toBeGreaterThan(SEEDS.length);
});
