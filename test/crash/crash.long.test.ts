import { afterAll, expect, test } from 'vitest';
import { onPostgres } from '../support/databases.ts';
import { crashRun } from './crash-run.ts';
import { POWER_STARTS, STARTS } from './starts.ts';

/** `npm run test:crash` tries two hundred seeds; here is one for each way to begin. */
const SEEDS = [1, 2, 8];

const files = await crashRun({ starts: STARTS });
afterAll(files.remove);

test.for(SEEDS)(
  'a close that is killed ends, when run again, as if nothing had happened: seed %i',
  async (seed) => {
    const { complaint, killed } = await files.trySeed(seed);
    expect(complaint).toBeUndefined();
    expect(killed).not.toEqual([]);
  },
);

/** Where a kill falls decides whether the disk lacks something then; of so many seeds of each start, one has to be so. */
const POWER_SEEDS = 2;

test('a close ends, when run again after a power cut, as if nothing had happened, wherever it begins', async () => {
  const power = await crashRun({ starts: POWER_STARTS, power: true });
  let setBack = 0;
  for (let seed = 0; seed < POWER_SEEDS * POWER_STARTS.length; seed += 1) {
    const result = await power.trySeed(seed);
    expect(result.complaint).toBeUndefined();
    setBack += result.setBack;
  }
  expect(setBack).toBeGreaterThan(0);
  await power.remove();
});

onPostgres(({ newUrl }) => {
  test('a close that is killed ends, when run again, as if nothing had happened', async () => {
    const server = await crashRun({ starts: STARTS, newUrl });
    try {
      const { complaint, killed } = await server.trySeed(4);
      expect(complaint).toBeUndefined();
      expect(killed).not.toEqual([]);
    } finally {
      await server.remove();
    }
  });
});
