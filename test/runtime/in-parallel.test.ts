import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inParallel } from '../../src/runtime/batches.ts';

/** Let everything run that can run without another answer. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('work in parallel never has more in flight than its limit, and does every item once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 3 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 8 }),
      async (turns, limit) => {
        let inFlight = 0;
        let most = 0;
        const results = await inParallel(turns, limit, async (count) => {
          inFlight += 1;
          most = Math.max(most, inFlight);
          for (let done = 0; done < count; done += 1) await turn();
          inFlight -= 1;
          return count;
        });
        expect(results).toEqual(turns);
        expect(most).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 50 },
  );
});

test('a failure in parallel work starts nothing more, and is told only when what was in flight has settled', async () => {
  const started: number[] = [];
  const second = Promise.withResolvers<string>();
  let told: unknown;
  const all = inParallel([1, 2, 3, 4, 5], 2, async (item) => {
    started.push(item);
    if (item === 1) throw new Error('the service is down');
    return second.promise;
  }).catch((error: Error) => {
    told = error.message;
  });
  await turn();
  expect([told, started]).toEqual([undefined, [1, 2]]);
  second.resolve('done');
  await all;
  expect([told, started]).toEqual(['the service is down', [1, 2]]);
});
