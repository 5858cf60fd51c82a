import { parseArgs } from 'node:util';
import { planInWords } from './plan.ts';
import { seedTrier } from './try-seed.ts';
import { buildWorld } from './world.ts';

/** `npm run simulate -- --seeds 1-10000`, or `--seed 7 --verbose`: live plans by their seeds, and say what failed. */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1-1000' },
    seed: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const [first = 1, last = first] = (values.seed ?? values.seeds).split('-').map(Number);
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Seeds between two words about how far it is. */
const TOLD_EVERY = 500;

const startedMs = Date.now();
const world = await buildWorld();
const trySeed = seedTrier(world);
let failed = 0;
let runs = 0;
let kills = 0;
try {
  for (let seed = first; seed <= last; seed += 1) {
    const tried = await trySeed(seed, values.verbose ? say : undefined);
    runs += tried.runs;
    kills += tried.kills.length;
    if (tried.problems.length > 0) failed += 1;
    if (tried.problems.length > 0 || values.verbose) say(planInWords(tried.plan));
    for (const problem of tried.problems) say(`  WRONG: ${problem}`);
    if (seed % TOLD_EVERY === 0) process.stderr.write(`up to seed ${seed}: ${failed} failed\n`);
  }
} finally {
  await world.remove();
}
const seconds = (Date.now() - startedMs) / 1000;
const seeds = last - first + 1;
say(
  `${seeds - failed} of ${seeds} seeds passed: ${runs} disturbed runs, ${kills} kills; ${seconds.toFixed(1)} s, ${((1000 * seconds) / seeds).toFixed(1)} ms a seed`,
);
process.exitCode = failed > 0 ? 1 : 0;
