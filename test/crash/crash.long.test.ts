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

/** Where a kill falls decides whether the disk lacks something then; of this many seeds of a start, one has to be so. */
const POWER_SEEDS_MAX = 5;

const power = await crashRun({ starts: POWER_STARTS, power: true });
afterAll(power.remove);

test.for(POWER_STARTS.map(({ name }, index) => [name, index] as const))(
  'a close ends, when run again after a power cut, as if nothing had happened: %s',
  async ([, index]) => {
    let setBack = 0;
    for (let tried = 0; tried < POWER_SEEDS_MAX && setBack === 0; tried += 1) {
      const result = await power.trySeed(index + tried * POWER_STARTS.length);
      expect(result.complaint).toBeUndefined();
      setBack += result.setBack;
    }
    expect(setBack).toBeGreaterThan(0);
  },
);

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
