import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { type RunOptions, temporaryFolder } from '../support/tieout.ts';
import { closeShop } from './close-shop.ts';
import { crashRun } from './crash-run.ts';
import { type Harm, KILL_POINT, type KillPoint } from './kill-point.ts';
import { outcomeOf, publishedIn } from './outcome.ts';
import { LARGE_STARTS } from './starts.ts';

const PRELOAD = new URL('./preload.ts', import.meta.url).href;
const START = { start: fileURLToPath(new URL('../support/threads-command.ts', import.meta.url)) };

/** `npm run test:crash 40 1 threads` tries more. */
const SEEDS = [3];

const killed = await crashRun({ starts: LARGE_STARTS, threads: true });
afterAll(killed.remove);

test.for(SEEDS)(
  'a close of several threads that is killed ends as if nothing had happened: seed %i',
  async (seed) => {
    const result = await killed.trySeed(seed);
    expect(result.complaint).toBeUndefined();
    expect(result.killed).not.toEqual([]);
  },
);

/** Harm each further thread of a close that comes as far as its nth statement: pages are kept by one statement each. */
const harmed = (harm: Harm, nth: number, node: readonly string[] = []): RunOptions => {
  const point: KillPoint = {
    operation: 'statement',
    nth,
    when: 'before',
    afterMicroseconds: 0,
    inThread: true,
    harm,
  };
  return { ...START, node: [...node, '--import', PRELOAD], env: { [KILL_POINT]: JSON.stringify(point) } };
};

const HARMS: readonly (readonly [RunOptions, number, string])[] = [
  [harmed('the disk is full', 25), 69, 'E_DATABASE_STORAGE'],
  [harmed('the disk fails', 25), 69, 'E_DATABASE_STORAGE'],
  [harmed('the thread ends', 40), 70, 'E_DEFECT'],
  [harmed('the thread is out of memory', 40, ['--max-old-space-size=200']), 69, 'E_MEMORY_SHORT'],
  [
    { ...START, killWhen: (printed) => printed.includes('recompute:'), killSignal: 'SIGTERM' },
    69,
    'E_STOPPED',
  ],
];

test('whatever happens to a thread in the middle is said, and in the end all is as if nothing had happened', async () => {
  const [calm, folder] = [await temporaryFolder(), await temporaryFolder()];
  const [start] = LARGE_STARTS;
  for (const place of [calm, folder]) await start?.prepare(place, {});
  await closeShop(calm);
  for (const [options, code, said] of HARMS) {
    const ran = await closeShop(folder, options);
    const stderr = expect.stringMatching(`^(?:Stopping .*\n)?${said}: `);
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code, stderr });
    expect(await publishedIn(folder)).toEqual({});
  }
  await closeShop(folder, START);
  const ledgerOf = (place: string) => `sqlite:${join(place, '.tieout', 'ledger.db')}`;
  expect(await outcomeOf(folder, ledgerOf(folder))).toEqual(await outcomeOf(calm, ledgerOf(calm)));
});
