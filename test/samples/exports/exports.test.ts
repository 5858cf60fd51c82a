import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { netOf } from '../../../src/close/sales/read-lines.ts';
import { postingOf } from '../../../src/close/sales/sale.ts';
import { shippedProfiles } from '../../../src/close/sales/shipped-profiles.ts';
import { EXPORTS, listingOf, trialsOf } from './list-sample.ts';

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
      const { tally, sales, detected } = trial;
      expect(detected.profile.id).toBe(sample);
      expect(tally.used + tally.ignored + tally.rejected).toBe(tally.rows);
      for (const sale of sales.filter((one) => postingOf(one) === 'posted' && one.lines.length > 0)) {
        const lines = sale.lines.reduce((total, line) => total + netOf(line), 0);
        expect([sale.id, lines / 100 + sale.shipping]).toEqual([sale.id, sale.amount]);
        expect(sale.lines.every(({ discount }) => discount >= 0)).toBe(true);
      }
    }
  });
});
