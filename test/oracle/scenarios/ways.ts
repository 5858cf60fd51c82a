import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Texts } from '../pack-texts.ts';

const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1);
const PROCESSES = 2;
const LIVE = fileURLToPath(new URL('../live-seeds.ts', import.meta.url));

/** Forty random histories of a shop, shared out among processes. */
export const ways = async (): Promise<Texts> => {
  const shares = Array.from({ length: PROCESSES }, (_, share) =>
    SEEDS.filter((seed) => seed % PROCESSES === share),
  );
  const lived = await Promise.all(shares.map(liveSeeds));
  return new Map(lived.flat());
};

const liveSeeds = (seeds: readonly number[]): Promise<readonly (readonly [string, string])[]> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [LIVE, ...seeds.map(String)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // A character of several bytes can be in two pieces.
    child.stdout.setEncoding('utf8');
    let printed = '';
    child.stdout.on('data', (piece: string) => {
      printed += piece;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(printed));
      else reject(new Error(`the histories of seeds ${seeds.join(', ')} ended with ${code}`));
    });
  });
