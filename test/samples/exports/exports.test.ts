import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shippedProfiles } from '../../../src/close/sales/shipped-profiles.ts';
import { EXPORTS, listingOf, proveSum, trialsOf } from './list-sample.ts';

const SAMPLES = readdirSync(EXPORTS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

test('every shipped profile has a sample', () => {
  expect(SAMPLES).toEqual(
    shippedProfiles()
      .map(({ id }) => id)
      .sort(),
  );
});

describe.for(SAMPLES)('the sample of %s', (sample) => {
  test('is read as its listing says', async () => {
    await expect(listingOf(await trialsOf(sample))).toMatchFileSnapshot(
      join(EXPORTS, sample, 'expected.txt'),
    );
  });

  test('loses no row, and what is posted adds up', async () => {
    for (const trial of await trialsOf(sample)) {
      if ('error' in trial) continue;
      const { profile, totals, sales } = trial;
      expect(profile.replace(/@.*/, '')).toBe(sample);
      expect(totals.used + totals.ignored + totals.rejected).toBe(totals.rows);
      expect(() => sales.forEach(proveSum)).not.toThrow();
    }
  });
});
