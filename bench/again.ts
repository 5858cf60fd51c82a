import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeMonth } from './month/write-month.ts';
import { print } from './served.ts';

/** `npm run bench:again [orders]`: a month with the embedded service, closed twice; the second run finds nothing new. */
const [orders = 20_000] = process.argv.slice(2).map(Number);
const START = new URL('../dist/tieout.js', import.meta.url).pathname;
const CLOCK_TICKS = 100;

const folder = mkdtempSync(join(tmpdir(), 'tieout-again-'));
await writeMonth(folder, orders);

/** Seconds of processor of a process so far. */
const usedBy = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
};

const close = async (name: string): Promise<void> => {
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [START, 'close', '2026-10', '--config', join(folder, 'tieout.yaml'), '--output', join(folder, 'out')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let before = 0;
  child.stdout.on('data', (piece: Buffer) => {
    const stage = piece.toString().split('\n')[0] ?? '';
    if (!/^[a-z-]+: /.test(stage) || child.exitCode !== null) return;
    const cpu = usedBy(child.pid ?? 0);
    print(`${name}: ${(cpu - before).toFixed(1)} s of processor, load ${loadavg()[0]?.toFixed(1)}: ${stage}`);
    before = cpu;
  });
  await once(child, 'exit');
  const wall = ((performance.now() - start) / 1000).toFixed(1);
  print(`${name} run: ${before.toFixed(1)} s of processor, ${wall} s, exit code ${child.exitCode}`);
};

print(`${orders} orders, embedded; load ${loadavg()[0]?.toFixed(1)}`);
await close('first');
await close('second');
rmSync(folder, { recursive: true, force: true });
