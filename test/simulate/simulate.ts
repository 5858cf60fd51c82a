import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SEEDS_PER_HISTORY, seedTrier } from './try-seed.ts';
import { buildWorld } from './world.ts';

/**
 * `npm run simulate -- --seeds 1-10000`, or `--seed 7`: live seeds, and say what failed. They are shared among
 * processes in whole histories.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1-1000' },
    seed: { type: 'string' },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
});
const [first = 1, last = first] = (values.seed ?? values.seeds).split('-').map(Number);
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

type Count = {
  readonly failed: number;
  readonly kills: number;
};

const tryHere = async (): Promise<Count> => {
  const world = await buildWorld();
  const trySeed = seedTrier(world);
  const count = { failed: 0, kills: 0 };
  for (let seed = first; seed <= last; seed += 1) {
    const { kills, problems } = await trySeed(seed);
    count.kills += kills.length;
    if (problems.length > 0) count.failed += 1;
    for (const problem of problems)
      say(`WRONG: ${problem} (npm run simulate -- --seed ${seed}): ${kills.join('; ')}`);
  }
  await world.remove();
  return count;
};

const tryIn = async (from: number, to: number): Promise<Count> => {
  const args = ['--seeds', `${from}-${to}`, '--processes', '1'];
  const child = fork(fileURLToPath(import.meta.url), args);
  const [count] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Count | number];
  if (typeof count !== 'object')
    throw new Error(`the process of the seeds ${from}-${to} ended without a word`);
  return count;
};

const histories = Math.ceil((last - first + 1) / SEEDS_PER_HISTORY);
const share = Math.ceil(histories / Number(values.processes)) * SEEDS_PER_HISTORY;
const running: Promise<Count>[] = [];
if (histories === 1 || values.processes === '1') running.push(tryHere());
else
  for (let from = first; from <= last; from += share)
    running.push(tryIn(from, Math.min(last, from + share - 1)));
const counts = await Promise.all(running);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
const kills = counts.reduce((sum, count) => sum + count.kills, 0);
if (process.send) process.send({ failed, kills });
else say(`${last - first + 1 - failed} of ${last - first + 1} seeds passed, ${kills} kills`);
process.exitCode = failed > 0 ? 1 : 0;
