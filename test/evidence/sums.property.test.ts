import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry } from '../../src/evidence/entry.ts';
import { readFrame } from '../../src/evidence/frame.ts';
import { periodSums } from '../../src/evidence/period-sums.ts';
import { readEntries } from '../../src/evidence/read-entries.ts';
import { reportOf } from '../../src/evidence/reduce.ts';
import { runs } from '../support/runs.ts';
import { sampleMerchant } from '../support/tieout.ts';

test('a period comes to the same report in whatever order its entries are added', async () => {
  const merchant = await sampleMerchant();
  await merchant.close();
  const folder = join(merchant.output, 'harbor-and-pine', '2026-10');
  const frame = await readFrame(folder);
  const entries: Entry[] = [];
  for await (const entry of readEntries(folder)) entries.push(entry);
  const reported = (some: readonly Entry[]): unknown => {
    const sums = periodSums({ ...frame, refunded: { has: () => true } });
    some.forEach(sums.add);
    return reportOf(frame, sums);
  };
  const whole = reported(entries);
  expect(whole).toMatchObject({ detailRows: entries.length });
  fc.assert(
    fc.property(fc.shuffledSubarray(entries, { minLength: entries.length }), (shuffled) => {
      expect(reported(shuffled)).toEqual(whole);
    }),
    { numRuns: runs(30) },
  );
});
