import { expect, test } from 'vitest';
import { FUZZ_TARGETS } from './fuzz-targets.ts';

/** `npm run fuzz:inputs` gives them a hundred thousand inputs; the suite tries that every target still works. */
const RUNS: Readonly<Record<string, number>> = {
  exports: 15,
  workbooks: 30,
  'reject files': 15,
};

test('the shares come to a hundred thousand', () => {
  expect(FUZZ_TARGETS.reduce((sum, { share }) => sum + share, 0)).toBe(100_000);
});

test.for(FUZZ_TARGETS)('$name: whatever comes is taken or refused clearly', async ({ name, open }) => {
  const { run, close } = await open();
  try {
    const { counterexample, errorInstance } = await run({ numRuns: RUNS[name] ?? 40, seed: 7 });
    expect([counterexample, errorInstance]).toEqual([null, null]);
  } finally {
    await close();
  }
});
