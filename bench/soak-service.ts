import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mixedLoad } from './mixed-load.ts';
import { figure, print, type Served, serve } from './served.ts';
import { machine } from './tell.ts';

/**
 * `node bench/soak-service.ts [minutes] [requests per second] [database address]`: mixed load on `tieout serve`, then
 * kill -9 in the middle of it, a restart, and every acknowledged write is looked for. Ends with 1 when one is missing,
 * when a request failed, or when memory grew by more than a fifth after the first quarter.
 */
const [minutes = 10, perSecond = 1_500] = process.argv.slice(2, 4).map(Number);
const SAMPLE_EVERY_MS = 10_000;
const GROWTH_MAX = 1.2;

const folder = mkdtempSync(join(tmpdir(), 'tieout-soak-'));
const address = process.argv[4] ?? `sqlite:${join(folder, 'ledger.db')}`;

const megabytes = async (served: Served): Promise<number> =>
  Math.round((await figure(served, 'process_resident_memory_bytes')) / 1_048_576);

const mean = (values: readonly number[]): number =>
  Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);

const counted = (counts: ReadonlyMap<string, number>): string => JSON.stringify(Object.fromEntries(counts));

const served = await serve(address);
print(`${minutes} minutes at ${perSecond} requests a second; ${machine()}`);
const load = await mixedLoad(served, perSecond);
const memory: number[] = [];
const end = performance.now() + minutes * 60_000;
while (performance.now() < end) {
  await pause(Math.min(SAMPLE_EVERY_MS, Math.max(0, end - performance.now())));
  memory.push(await megabytes(served));
}
load.stop();
served.child.kill('SIGKILL');
await once(served.child, 'exit');
await load.stopped();

const quarter = Math.max(1, Math.floor(memory.length / 4));
const early = mean(memory.slice(quarter, 2 * quarter));
const late = mean(memory.slice(-quarter));
print(`answered: ${counted(load.answered)}`);
print(`problems: ${counted(load.problems)}`);
print(`resident memory in MB, every 10 s: ${memory.join(' ')}`);
print(`second quarter ${early} MB, last quarter ${late} MB; ${machine()}`);
const again = await serve(address);
const lost = await load.lostWrites(again);
again.child.kill('SIGTERM');
await once(again.child, 'exit');
rmSync(folder, { recursive: true, force: true });
process.exitCode = lost > 0 || load.problems.size > 0 || late > early * GROWTH_MAX ? 1 : 0;
