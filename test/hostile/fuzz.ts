import { parseArgs } from 'node:util';
import { stringify } from 'fast-check';
import { FUZZ_TARGETS } from './fuzz-targets.ts';

/** `npm run fuzz:inputs -- --count N --seed S --target T`: inputs of every kind in their shares, and what became of them. */
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
const startMb = Math.round(process.memoryUsage().rss / 2 ** 20);
const SHARES = FUZZ_TARGETS.reduce((sum, { share }) => sum + share, 0);
const seed = Number(firstSeed);

const uncaught: string[] = [];
process.on('uncaughtException', (error) => uncaught.push(String(error.stack)));
process.on('unhandledRejection', (error) => uncaught.push(String((error as Error)?.stack ?? error)));

const results: object[] = [];
let total = 0;
for (const { name, share, open } of FUZZ_TARGETS) {
  if (only !== undefined && name !== only) continue;
  const numRuns = Math.ceil((Number(inputs) * share) / SHARES);
  const { run, close } = await open();
  const before = process.cpuUsage();
  const found = await run({ numRuns, seed });
  const { user, system } = process.cpuUsage(before);
  await close();
  total += found.numRuns;
  results.push({
    target: name,
    inputs: found.numRuns,
    cpuSeconds: Math.round((user + system) / 1e6),
    ...(found.failed && {
      failure: String((found.errorInstance as Error | null)?.stack ?? found.errorInstance).slice(0, 1_500),
      path: found.counterexamplePath,
      counterexample: stringify(found.counterexample).slice(0, 3_000),
    }),
  });
}

const failures = results.filter((result) => 'failure' in result).length;
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(
  `${JSON.stringify({ seed, inputs: total, failures, uncaught, startMb, peakMb, results }, null, 2)}\n`,
);
process.exitCode = failures + uncaught.length === 0 && peakMb - startMb <= GROWN_MB_MAX ? 0 : 1;
