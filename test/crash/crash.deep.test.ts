import { afterAll, expect, test } from 'vitest';
import { onPostgres } from '../support/databases.ts';
import { crashRun } from './crash-run.ts';
import { NEW_STARTS, STARTS } from './starts.ts';

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

onPostgres(({ newUrl }) => {
  test('a close that is killed ends, when run again, as if nothing had happened', async () => {
    const server = await crashRun({ starts: NEW_STARTS, newUrl });
    try {
      const { complaint, killed } = await server.trySeed(4);
      expect(complaint).toBeUndefined();
      expect(killed).not.toEqual([]);
    } finally {
      await server.remove();
    }
  });
});
