import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeMonth } from './month/write-month.ts';
import { figure, print, serve } from './served.ts';

/**
 * `npm run bench:http [orders] [requests in flight]`: close a month through a `tieout serve` on the same machine, every calculation, record
 * and reading back over HTTP, and print the seconds of each stage, and those of the server's processor.
 */
const [orders = 100_000, concurrency = 64] = process.argv.slice(2).map(Number);
const START = join(import.meta.dirname, '..', 'src', 'start.js');
const CALLS = ['recompute', 'submit', 'pull-back'];

const folder = mkdtempSync(join(tmpdir(), 'tieout-http-'));
await writeMonth(folder, orders);
const served = await serve(`sqlite:${join(folder, 'served.db')}`);
appendFileSync(
  join(folder, 'tieout.yaml'),
  `service: { url: "${served.url}", asOf: honoured, concurrency: ${concurrency} }\n`,
);

print(`${orders} orders over HTTP, ${concurrency} requests at once; load ${loadavg()[0]?.toFixed(1)}`);
const child = spawn(
  process.execPath,
  [START, 'close', '2026-10', '--config', join(folder, 'tieout.yaml'), '--output', join(folder, 'out')],
  { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TIEOUT_SERVICE_KEY: served.key } },
);
let before = performance.now();
let called = 0;
child.stdout.on('data', (piece: Buffer) => {
  for (const line of piece.toString().split('\n')) {
    const stage = /^([a-z-]+): /.exec(line)?.[1];
    if (stage === undefined) continue;
    const seconds = (performance.now() - before) / 1000;
    before = performance.now();
    if (CALLS.includes(stage)) called += seconds;
    print(`${seconds.toFixed(1)} s, load ${loadavg()[0]?.toFixed(1)}: ${line}`);
  }
});
await once(child, 'exit');
const server = await figure(served, 'process_cpu_seconds_total');
print(
  `calculated, recorded and read back in ${called.toFixed(1)} s; the server took ${server.toFixed(1)} s of processor time; exit code ${child.exitCode}`,
);
served.child.kill();
await once(served.child, 'exit');
rmSync(folder, { recursive: true, force: true });
