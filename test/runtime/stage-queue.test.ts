import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stageQueue } from '../../src/runtime/stage-queue.ts';

const STAGES = ['ask', 'send', 'write'];

test('every stage takes the runs in their order and one at a time, whatever they take and wherever they fail', async () => {
  const run = fc.record({
    takes: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 }),
    failsAt: fc.option(fc.integer({ min: 0, max: 2 })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 6 }), async (runs) => {
      const order = stageQueue(runs.length);
      const begun = new Map<string, number[]>();
      const inside = new Map<string, number>();
      await Promise.all(
        runs.map(async ({ takes, failsAt }, index) => {
          try {
            for (const [position, stage] of STAGES.entries()) {
              await order.enter(index, stage, async () => {
                begun.set(stage, [...(begun.get(stage) ?? []), index]);
                inside.set(stage, (inside.get(stage) ?? 0) + 1);
                expect(inside.get(stage)).toBe(1);
                await pause(takes[position]);
                inside.set(stage, (inside.get(stage) ?? 0) - 1);
                if (failsAt === position) throw new Error('this run ends here');
              });
            }
          } catch (error) {
            if ((error as Error).message !== 'this run ends here') throw error;
          } finally {
            order.end(index);
          }
        }),
      );
      for (const [position, stage] of STAGES.entries()) {
        const through = runs.flatMap(({ failsAt }, index) =>
          failsAt === null || failsAt >= position ? [index] : [],
        );
        expect(begun.get(stage) ?? []).toEqual(through);
      }
    }),
    { numRuns: 40 },
  );
});

test('stages of different runs overlap', async () => {
  const order = stageQueue(2);
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const first = (async () => {
    await order.enter(0, 'ask', async () => {});
    await order.enter(0, 'send', () => asked);
    order.end(0);
  })();
  await order.enter(1, 'ask', async () => resolve());
  await first;
});
