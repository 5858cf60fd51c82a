import { parseArgs } from 'node:util';
import { stringify } from 'fast-check';
import type { FuzzTarget } from './fuzz-target.ts';
import { FUZZ_TARGETS } from './fuzz-targets.ts';

/**
 * `npm run fuzz:inputs -- --count N --seed S --target T`: inputs of every kind in their shares, and what became of them.
 * They are tried in slices, each with a seed of its own. A slice ends at its first failure and prints what repeats it;
 * the next slice goes on.
 */
const {
  count: inputs,
  seed: firstSeed,
  target: only,
} = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    target: { type: 'string' },
  },
}).values;
/** More than the inputs may take beside the programs, which are loaded by now. */
const GROWN_MB_MAX = 500;
const SLICE = 1_000;
const startMb = Math.round(process.memoryUsage().rss / 2 ** 20);
const chosen = FUZZ_TARGETS.filter(({ name }) => only === undefined || name === only);
const SHARES = chosen.reduce((sum, { share }) => sum + share, 0);

const uncaught: string[] = [];
process.on('uncaughtException', (error) => uncaught.push(String(error.stack)));
process.on('unhandledRejection', (error) => uncaught.push(String((error as Error)?.stack ?? error)));

const peakMb = (): number => Math.round(process.resourceUsage().maxRSS / 1024);

const tell = (object: object): void => {
  process.stdout.write(`${JSON.stringify(object)}\n`);
};

/** Try a target with its share of the inputs, and answer how many were tried and how many slices failed. */
const tryTarget = async ({ name, share, open }: FuzzTarget) => {
  const { run, close } = await open();
  const before = process.cpuUsage();
  let seed = Number(firstSeed);
  let failures = 0;
  let tried = 0;
  for (let left = Math.ceil((Number(inputs) * share) / SHARES); left > 0; left -= SLICE, seed += 1) {
    const numRuns = Math.min(left, SLICE);
    const found = await run({ numRuns, seed });
    tried += found.numRuns;
    if (!found.failed) continue;
    failures += 1;
    tell({
      repeat: `npm run fuzz:inputs -- --target ${JSON.stringify(name)} --seed ${seed} --count ${numRuns}`,
      failure: String((found.errorInstance as Error | null)?.stack ?? found.errorInstance).slice(0, 1_500),
      counterexample: stringify(found.counterexample).slice(0, 3_000),
    });
  }
  const { user, system } = process.cpuUsage(before);
  await close();
  tell({
    target: name,
    inputs: tried,
    failures,
    cpuSeconds: Math.round((user + system) / 1e6),
    peakMb: peakMb(),
  });
  return { tried, failures };
};

let total = 0;
let failures = 0;
for (const target of chosen) {
  const found = await tryTarget(target);
  total += found.tried;
  failures += found.failures;
}

const peak = peakMb();
tell({ seed: Number(firstSeed), inputs: total, failures, uncaught, startMb, peakMb: peak });
process.exitCode = failures + uncaught.length === 0 && peak - startMb <= GROWN_MB_MAX ? 0 : 1;
