import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hostileFile } from './mutate-file.ts';
import { seeded } from './random.ts';
import { tryFile } from './try-file.ts';
import { tryLedger } from './try-ledger.ts';

const samples = (name: string): URL => new URL(`../../samples/${name}`, import.meta.url);
const FILES = 60;

test.for([
  ['export', samples('harbor-and-pine/orders_export.csv'), tryFile],
  ['file of balances', samples('roll-forward/balances.csv'), tryLedger],
] as const)(
  'a damaged %s is refused clearly, or every one of its rows is accounted for',
  { timeout: 60_000 },
  async ([, sample, tryIt]) => {
    const folder = await mkdtemp(join(tmpdir(), 'tieout-hostile-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const whole = await readFile(sample);
    const base = whole.subarray(0, whole.lastIndexOf('\n', 20_000) + 1);
    const kinds = new Map<string, number>();
    for (let seed = 90_000; seed < 90_000 + FILES; seed += 1) {
      const { name, bytes } = await hostileFile(`${seed}`, base, seeded(seed));
      await writeFile(join(folder, name), bytes);
      for (const { kind } of await tryIt(join(folder, name), bytes))
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    // A mutator that damages nothing, or everything beyond recognition, would prove nothing.
    expect(kinds.get('refused')).toBeGreaterThan(FILES / 5);
    expect(kinds.get('read')).toBeGreaterThan(FILES / 5);
  },
);
