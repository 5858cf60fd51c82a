import { describe, expect, test } from 'vitest';
import { printedBy } from './printed-by.ts';

const MODULE = new URL('../../src/runtime/hold-memory.ts', import.meta.url).href;

/** The space for new objects, in MB, of a process through which batches pass that outlive a collection. */
const youngMbAfterBatches = async (before: string): Promise<number> => {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    ${before}
    for (let batch = 0; batch < 60; batch += 1) {
      const kept = [];
      for (let index = 0; index < 200_000; index += 1) kept.push({ index, text: 'row ' + index });
      await new Promise((resolve) => setImmediate(resolve));
    }
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    process.stdout.write(String(Math.round(young.space_size / 1024 / 1024)));`;
  return Number(await printedBy(program));
};

describe('the space for new objects', () => {
  test('stays where it is enough, and grows on where no one holds it', async () => {
    const held = `import { holdPauses } from '${MODULE}'; holdPauses();`;
    expect(await youngMbAfterBatches('')).toBeGreaterThan(64);
    expect(await youngMbAfterBatches(held)).toBeLessThanOrEqual(64);
  });
});
