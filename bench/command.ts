import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Cost } from './cost.ts';

const START = new URL('../dist/tieout.js', import.meta.url).pathname;
const REPORT = new URL('report-cost.ts', import.meta.url).href;

/** What a command has printed, how it ended, and what it has cost; nothing when it was killed. */
export type Ran = { readonly stdout: string; readonly code: number | null; readonly cost: Cost };

const NOTHING: Cost = { wallMs: 0, cpuMs: 0, peakMb: 0 };

/** Run the built command in a process of its own, and kill it after some milliseconds if it has not ended by then. */
export const command = async (
  args: readonly (string | number)[],
  how: { readonly killAfterMs?: number; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ran> => {
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', REPORT, START, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    env: { ...process.env, ...how.env },
  });
  const [stdout, cost] = [child.stdout, child.stdio[3]].map((stream) =>
    text(stream as NodeJS.ReadableStream),
  );
  const ended = once(child, 'exit');
  if (how.killAfterMs !== undefined) {
    await Promise.race([pause(how.killAfterMs), ended]);
    child.kill('SIGKILL');
  }
  const [code] = (await ended) as [number | null];
  const measured = (await cost) || JSON.stringify(NOTHING);
  const wallMs = Math.round(performance.now() - began);
  return { stdout: (await stdout) ?? '', code, cost: { ...(JSON.parse(measured) as Cost), wallMs } };
};
