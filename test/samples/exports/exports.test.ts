import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isCompanionProfile, shippedProfiles } from '../../../src/sales/detect-profile.ts';
import { EXPORTS, filesOf, listingOf, proveTotals, trialsIn, trialsOf } from './list-sample.ts';

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

test.for(SAMPLES)(
  'the sample of %s is read as its listing says: no row is lost, and what is posted adds up',
  async (sample) => {
    const trials = await trialsOf(sample);
    for (const trial of trials) if ('profile' in trial) expect(trial.profile.replace(/@.*/, '')).toBe(sample);
    await expect(listingOf(trials)).toMatchFileSnapshot(join(EXPORTS, sample, 'expected.txt'));
  },
);

/** Companion files say something of the orders of another export, so they are read beside one. */
const COMPANIONS = shippedProfiles().flatMap((profile) =>
  isCompanionProfile(profile) ? [[profile.id, profile.companionOf?.[0] ?? 'shopify.orders'] as const] : [],
);

test.for(COMPANIONS)('the sample of %s loses no row beside that of %s', async ([companion, sales]) => {
  const files = [companion, sales].flatMap((sample) => filesOf(sample).map((file) => join(sample, file)));
  const trials = await trialsIn(EXPORTS, files);
  expect(trials.map((trial) => 'profile' in trial && trial.profile.replace(/@.*/, ''))).toEqual(
    expect.arrayContaining([companion, sales]),
  );
  for (const trial of trials) if (!('error' in trial)) proveTotals(trial);
});
