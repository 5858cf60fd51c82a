import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { distant } from './distant.ts';
import { writeMonth } from './month/write-month.ts';
import { print, processorSeconds, serve } from './served.ts';

/**
 * `npm run bench:http [orders] [milliseconds] [requests in flight]`: close a month through a `tieout serve` on the same
 * machine, every calculation, record and reading back over HTTP, each answer so many milliseconds late, with as many
 * requests in flight as a close has by default when nothing else is said. Prints the seconds of each stage, on the clock
 * and of the processor, of the close and of the server.
 */
const [orders = 100_000, milliseconds = 0, concurrency] = process.argv.slice(2).map(Number);
const START = join(import.meta.dirname, '..', 'src', 'start.js');
const CALLS = ['recompute', 'submit', 'read back'];

const folder = mkdtempSync(join(tmpdir(), 'tieout-http-'));
await writeMonth(folder, orders);
const served = await serve(`sqlite:${join(folder, 'served.db')}`);
const service = milliseconds === 0 ? served : await distant(served.url, milliseconds);
const inFlight = concurrency === undefined ? '' : `, concurrency: ${concurrency}`;
appendFileSync(
  join(folder, 'tieout.yaml'),
  `service: { url: "${service.url}", asOf: honoured${inFlight} }\n`,
);

print(
  `${orders} orders over HTTP, load ${loadavg()[0]?.toFixed(1)}; seconds on the clock, of the close, of the server`,
);
const child = spawn(
  process.execPath,
  [START, 'close', '2026-10', '--config', join(folder, 'tieout.yaml'), '--output', join(folder, 'out')],
  { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TIEOUT_SERVICE_KEY: served.key } },
);
type Cost = { readonly clock: number; readonly close: number; readonly server: number };
const costSoFar = (): Cost => ({
  clock: performance.now() / 1000,
  close: processorSeconds(child),
  server: processorSeconds(served.child),
});
const between = (one: Cost, other: Cost, sign: 1 | -1): Cost => ({
  clock: one.clock + sign * other.clock,
  close: one.close + sign * other.close,
  server: one.server + sign * other.server,
});
const textOf = ({ clock, close, server }: Cost): string =>
  [clock, close, server].map((seconds) => seconds.toFixed(1).padStart(6)).join('');

let before = { ...costSoFar(), close: 0 };
let called: Cost = { clock: 0, close: 0, server: 0 };
child.stdout.on('data', (piece: Buffer) => {
  for (const line of piece.toString().split('\n')) {
    const stage = /^([a-z-]+): /.exec(line)?.[1];
    if (stage === undefined) continue;
    const now = costSoFar();
    const cost = between(now, before, -1);
    before = now;
    if (CALLS.includes(stage)) called = between(called, cost, 1);
    print(`${textOf(cost)}, load ${loadavg()[0]?.toFixed(1)}: ${line}`);
  }
});
await once(child, 'exit');
print(`${textOf(called)} to calculate, record and read back; exit code ${child.exitCode}`);
if ('stop' in service) service.stop();
served.child.kill();
await once(served.child, 'exit');
rmSync(folder, { recursive: true, force: true });
