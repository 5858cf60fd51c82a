import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { planText, SEEDS_PER_STORY } from './plan.ts';

import { seedTrier } from './try-seed.ts';
import { buildWorld } from './world.ts';

/**
 * `npm run simulate -- --seeds 1-10000`, or `--seed 7 --verbose`: live plans by their seeds, and say what failed. A process
 * waits for files and packed bytes a third of its time, so there is one more of them than there are processors.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1-1000' },
    seed: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    processes: { type: 'string', default: String(availableParallelism() + 1) },
  },
});
const [first = 1, last = first] = (values.seed ?? values.seeds).split('-').map(Number);
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Seeds between two words about how far it is. */
const TOLD_EVERY = 500;

type Count = { readonly failed: number; readonly runs: number; readonly kills: number };

const tryHere = async (): Promise<Count> => {
  const world = await buildWorld();
  const trySeed = seedTrier(world);
  const count = { failed: 0, runs: 0, kills: 0 };
  try {
    for (let seed = first; seed <= last; seed += 1) {
      const tried = await trySeed(seed, values.verbose ? say : undefined);
      count.runs += tried.runs;
      count.kills += tried.kills.length;
      if (tried.problems.length > 0) count.failed += 1;
      if (tried.problems.length > 0 || values.verbose) say(planText(tried.plan));
      for (const problem of tried.problems) say(`  WRONG: ${problem}`);
      if (seed % TOLD_EVERY === 0) process.stderr.write(`up to seed ${seed}: ${count.failed} failed\n`);
    }
  } finally {
    await world.remove();
  }
  return count;
};

/** The seeds in spans of whole stories, as each is lived undisturbed once in each process that has seeds of it. */
const spansOf = (processes: number): readonly string[] => {
  const storyOf = (seed: number): number => Math.floor((seed - 1) / SEEDS_PER_STORY);
  const stories = storyOf(last) - storyOf(first) + 1;
  const share = Math.ceil(stories / processes) * SEEDS_PER_STORY;
  const spans: string[] = [];
  for (let from = first; from <= last; ) {
    const to = Math.min(last, storyOf(from) * SEEDS_PER_STORY + share);
    spans.push(`${from}-${to}`);
    from = to + 1;
  }
  return spans;
};

const tryIn = async (seeds: string): Promise<Count> => {
  const verbose = values.verbose ? ['--verbose'] : [];
  const child = fork(fileURLToPath(import.meta.url), ['--seeds', seeds, '--processes', '1', ...verbose]);
  const [count] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Count | number];
  if (typeof count !== 'object') throw new Error(`the process of the seeds ${seeds} ended without a word`);
  return count;
};

const startedMs = Date.now();
const spans = spansOf(Number(values.processes));
const counts = spans.length === 1 ? [await tryHere()] : await Promise.all(spans.map(tryIn));
const sumOf = (what: keyof Count): number => counts.reduce((sum, count) => sum + count[what], 0);
const [failed, seeds, seconds] = [sumOf('failed'), last - first + 1, (Date.now() - startedMs) / 1000];
if (process.send) process.send({ failed, runs: sumOf('runs'), kills: sumOf('kills') });
else
  say(
    `${seeds - failed} of ${seeds} seeds passed: ${sumOf('runs')} disturbed runs, ${sumOf('kills')} kills; ${seconds.toFixed(1)} s, ${((1000 * seconds) / seeds).toFixed(1)} ms a seed, ${spans.length} processes`,
  );
process.exitCode = failed > 0 ? 1 : 0;
