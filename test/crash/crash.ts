import { newDatabase } from '../support/new-database.ts';
import { startPostgres } from '../support/postgres.ts';
import { crashRun } from './crash-run.ts';
import { POWER_STARTS, STARTS } from './starts.ts';

/** `npm run test:crash [seeds] [first seed] [sqlite|postgres|power]`: kill closes by seeds, and tell what came of it. */
const [seeds = '200', firstSeed = '1', engine = 'sqlite'] = process.argv.slice(2);

const server = engine === 'postgres' ? await startPostgres() : undefined;
const optionsOf = (): Parameters<typeof crashRun>[0] => {
  if (engine === 'power') return { starts: POWER_STARTS, power: true };
  if (server === undefined) return { starts: STARTS };
  return { starts: STARTS, newUrl: async () => (await newDatabase(server.url)).url };
};
const run = await crashRun(optionsOf());
let passed = 0;
const kills: Record<string, number> = {};
try {
  for (let seed = Number(firstSeed); seed < Number(firstSeed) + Number(seeds); seed += 1) {
    const result = await run.trySeed(seed);
    if (result.complaint === undefined) passed += 1;
    for (const stage of result.killed) kills[stage] = (kills[stage] ?? 0) + 1;
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
} finally {
  await server?.stop();
}
process.stdout.write(
  `${passed} of ${seeds} seeds passed on ${engine}; kills after each stage: ${JSON.stringify(kills)}\n`,
);
if (passed === Number(seeds)) await run.remove();
else process.exitCode = 1;
