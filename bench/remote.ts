import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { configureEvenMonth, writeStorefrontExport } from './even-month.ts';
import { openConnection } from './http-load.ts';
import { print } from './served.ts';

/**
 * `npm run bench:remote [orders] [milliseconds] [concurrency]`: a month against a service in another process that
 * takes so long for each call. Ideal is calls x milliseconds / concurrency; twice, so that the second run finds
 * everything done.
 */
const [orders = 20_000, latencyMs = 50, concurrency = 64] = process.argv.slice(2).map(Number);
const START = new URL('../dist/tieout.js', import.meta.url).pathname;
const SERVICE = new URL('latency-service.ts', import.meta.url).pathname;
const CLOCK_TICKS = 100;
const BARE_SECONDS = 5;

type Stats = {
  taxes: number;
  created: number;
  shown: number;
  listed: number;
  inFlightMax: number;
  inFlightMs: number;
};

const folder = mkdtempSync(join(tmpdir(), 'tieout-remote-'));
const service = spawn(process.execPath, [SERVICE, String(latencyMs)], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = (await once(service.stdout, 'data')) as [Buffer];
const url = line.toString().trim();
const stats = async (): Promise<Stats> => (await (await fetch(`${url}stats`)).json()) as Stats;
const callsOf = ({ taxes, created, shown, listed }: Stats): number => taxes + created + shown + listed;

await writeStorefrontExport(join(folder, 'orders.csv'), 2 * orders);
configureEvenMonth(folder, `service: { url: "${url}", concurrency: ${concurrency}, asOf: honoured }\n`);

/** Seconds of processor and peak megabytes of a process so far. */
const used = (pid: number): { readonly cpu: number; readonly mb: number } => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpu: (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS, mb: Number(peak) / 1024 };
};

const close = async (name: string): Promise<void> => {
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [START, 'close', '2026-10', '--config', join(folder, 'tieout.yaml'), '--output', join(folder, 'out')],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TIEOUT_SERVICE_KEY: 'bench' } },
  );
  const { inFlightMs, ...earlier } = await stats();
  let before = { ms: start, calls: callsOf({ ...earlier, inFlightMs }), inFlightMs, cpu: 0 };
  child.stdout.on('data', async (piece: Buffer) => {
    const stage = piece.toString().split('\n')[0] ?? '';
    const now = performance.now();
    if (!/^[a-z-]+: /.test(stage) || child.exitCode !== null) return;
    const { cpu, mb } = used(child.pid ?? 0);
    const counted = await stats();
    const calls = callsOf(counted);
    const mean = (counted.inFlightMs - before.inFlightMs) / (now - before.ms);
    const [seconds, asked, spent] = [(now - before.ms) / 1000, calls - before.calls, cpu - before.cpu];
    before = { ms: now, calls, inFlightMs: counted.inFlightMs, cpu };
    const ideal = (asked * latencyMs) / concurrency / 1000;
    const rate =
      asked > concurrency
        ? ` ${asked} calls, ${Math.round(asked / seconds)} per second, ${Math.round((100 * ideal) / seconds)} % of the ideal, ${mean.toFixed(1)} in flight on average, ${((1000 * spent) / asked).toFixed(2)} ms of processor each;`
        : '';
    print(
      `${name} ${seconds.toFixed(1)} s,${rate} peak ${mb.toFixed(0)} MB, load ${loadavg()[0]?.toFixed(1)}: ${stage}`,
    );
  });
  await once(child, 'exit');
  print(`${name} run: ${((performance.now() - start) / 1000).toFixed(1)} s, exit code ${child.exitCode}`);
};

/** What the machine lets through at this moment: connections that do nothing but ask, one call after the other. */
const bare = async (): Promise<void> => {
  const connections = await Promise.all(
    Array.from({ length: concurrency }, () => openConnection(url, 'bench')),
  );
  let calls = 0;
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  await Promise.all(
    connections.map(async ({ ask }) => {
      for (; seconds() < BARE_SECONDS; calls += 1)
        await ask({ method: 'GET', path: 'transactions/orders/10000' });
    }),
  );
  const ideal = (calls * latencyMs) / concurrency / 1000;
  print(
    `bare calls: ${Math.round(calls / seconds())} per second, ${Math.round((100 * ideal) / seconds())} % of the ideal`,
  );
  for (const { end } of connections) end();
};

print(`${orders} orders, ${latencyMs} ms a call, ${concurrency} at once; load ${loadavg()[0]?.toFixed(1)}`);
await bare();
await close('first');
await bare();
await close('second');
print(`in flight at once at the most: ${(await stats()).inFlightMax}`);
service.kill();
rmSync(folder, { recursive: true, force: true });
