import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Cost } from './cost.ts';

/** The built command. */
export const COMMAND = new URL('../dist/tieout.js', import.meta.url).pathname;
const REPORT = new URL('report-cost.ts', import.meta.url).href;

/** How a command has ended, and what it has cost; nothing when it was killed. */
export type Ran = { readonly code: number | null; readonly cost: Cost };

type How = {
  readonly killAfterMs?: number;
  readonly env?: NodeJS.ProcessEnv;
};

/** Run the built command in a process of its own, and kill it after some milliseconds if it has not ended by then. */
export const command = async (args: readonly string[], { killAfterMs, env }: How): Promise<Ran> => {
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', REPORT, COMMAND, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    env: env ?? process.env,
  });
  const report = text(child.stdio[3] as Readable);
  const ended = once(child, 'exit');
  if (killAfterMs !== undefined) {
    await Promise.race([pause(killAfterMs), ended]);
    child.kill('SIGKILL');
  }
  const [code] = (await ended) as [number | null];
  const wallMs = Math.round(performance.now() - began);
  const reported = await report;
  const cost = reported === '' ? { cpuMs: 0, peakMb: 0 } : (JSON.parse(reported) as Cost);
  return { code, cost: { ...cost, wallMs } };
};
