import { describe, expect, test } from 'vitest';
import { printedBy } from './printed-by.ts';

const MODULE = new URL('../../src/runtime/hold-memory.ts', import.meta.url).href;
const HELD = `import { holdMemory } from '${MODULE}'; holdMemory();`;
const LEFT_ALONE = '';

/** With little room for new objects those of a batch outlive collections, however few they are. */
const LITTLE_ROOM = '--max-semi-space-size=1';

const ROW_OF = `const rowOf = (index) => ({ index, text: 'row ' + index });`;

/** Of 30 batches of records, in how many a new record was made where the old ones are. */
const madeOld = async (before: string): Promise<number> => {
  const program = `
    ${before}
    ${ROW_OF}
    let old = 0;
    for (let batch = 0; batch < 30; batch += 1) {
      const kept = [];
      for (let index = 0; index < 20_000; index += 1) kept.push(rowOf(index));
      await new Promise((resolve) => setImmediate(resolve));
      if (!%InYoungGeneration(rowOf(batch))) old += 1;
    }
    process.stdout.write(String(old));`;
  return Number(await printedBy(program, [LITTLE_ROOM, '--allow-natives-syntax']));
};

/** Megabytes of the process while it holds many records, and after they became garbage while it goes on with few. */
const heldThenLeft = async (
  before: string,
): Promise<{
  readonly held: number;
  readonly left: number;
}> => {
  const program = `
    ${before}
    ${ROW_OF}
    const rows = (length) => Array.from({ length }, (_, index) => rowOf(index));
    const megabytes = () => process.memoryUsage.rss() / 1e6;
    let many = [];
    for (let part = 0; part < 60; part += 1) {
      many.push(rows(100_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const held = megabytes();
    many = [];
    for (let batch = 0; batch < 400; batch += 1) {
      many[batch % 8] = rows(20_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    process.stdout.write(JSON.stringify({ held, left: megabytes() }));`;
  return JSON.parse(await printedBy(program));
};

describe('a run over many records', () => {
  test('makes each of them as a new object, however many of their kind outlived a collection', async () => {
    expect(await madeOld(LEFT_ALONE)).toBeGreaterThan(0);
    expect(await madeOld(HELD)).toBe(0);
  });

  test('gives memory back that it has no more use for, while it goes on', async () => {
    const { held, left } = await heldThenLeft(HELD);
    expect(held).toBeGreaterThan(450);
    expect(left).toBeLessThan(0.6 * held);
  });
});
