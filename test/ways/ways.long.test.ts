import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onPostgres } from '../support/databases.ts';
import type { Manifest } from '../support/figures.ts';
import { tieout } from '../support/tieout.ts';
import { type Lived, live, type Way } from './live.ts';
import { randomHistory } from './random-history.ts';

/** `WAYS_SEEDS=1-40` for forty histories. In that of seed 6 orders move between the months, and some are refused. */
const [first = 6, last = first] = (process.env['WAYS_SEEDS'] ?? '6').split('-').map(Number);
const SEEDS = Array.from({ length: last - first + 1 }, (_, index) => first + index);

const WAYS: Readonly<Record<string, (seed: number) => Way>> = {
  'cut off again and again': (seed) => ({ patience: 25 + seed }),
  'a few calls at once': () => ({ callsAtOnce: 3 }),
};

const SHARED: Readonly<Record<string, Way>> = {
  'on PostgreSQL': {},
  'by workers': { workers: true },
};

/** At one go, and the packs proved in the end; once for all ways. */
const plainly = new Map<number, Promise<Lived>>();
const plain = (seed: number): Promise<Lived> => {
  const lived = plainly.get(seed) ?? live(randomHistory(seed), {}, provePacks);
  plainly.set(seed, lived);
  return lived;
};

const provePacks = async (output: string): Promise<void> => {
  const periods = (await readdir(join(output, 'shop'))).filter((name) => !name.startsWith('backfill'));
  for (const period of periods) {
    const folder = join(output, 'shop', period);
    const { code, stdout } = await tieout(['verify', folder]);
    expect(code, stdout).toBe(0);
    const text = await readFile(join(folder, 'evidence', 'manifest.json'), 'utf8');
    const { readiness } = (JSON.parse(text) as Manifest).content.leaves;
    expect(readiness.ready || readiness.reasons.length > 0, `what is not right in ${period} has a name`).toBe(
      true,
    );
  }
};

it.for(SEEDS.flatMap((seed) => Object.keys(WAYS).map((name) => [name, seed] as const)))(
  'a history lived %s is the same files after each command: seed %i',
  async ([name, seed]) => {
    expect(await live(randomHistory(seed), WAYS[name]?.(seed) ?? {})).toEqual(await plain(seed));
  },
);

onPostgres(({ newUrl }) => {
  it.for(SEEDS.flatMap((seed) => Object.keys(SHARED).map((name) => [name, seed] as const)))(
    'a history lived %s is the same files after each command: seed %i',
    async ([name, seed]) => {
      const databases = `databases: { ledger: "${await newUrl()}", queue: "${await newUrl()}" }\n`;
      expect(await live(randomHistory(seed), { ...SHARED[name], databases })).toEqual(await plain(seed));
    },
  );
});
