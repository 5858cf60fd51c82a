import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../test/support/postgres.ts';
import { configureEvenMonth, writeStorefrontExport } from './even-month.ts';
import { print } from './served.ts';

/**
 * `npm run bench:workers [orders] [milliseconds] [concurrency]`: a month against a service that takes so long for each
 * call, by one, two and four workers in processes of their own, each with so many calls at once. The time is that of
 * the stages which are handed out.
 */
const [orders = 4_000, latencyMs = 50, concurrency = 16] = process.argv.slice(2).map(Number);
const START = new URL('../dist/tieout.js', import.meta.url).pathname;
const SERVICE = new URL('latency-service.ts', import.meta.url).pathname;
const STAGES = ['recompute', 'submit', 'pull-back'] as const;

const folder = mkdtempSync(join(tmpdir(), 'tieout-workers-'));
const postgres = await startPostgres();
await writeStorefrontExport(join(folder, 'orders.csv'), 2 * orders);

const run = (args: readonly string[], output: 'pipe' | 'ignore'): ChildProcess =>
  spawn(process.execPath, [START, ...args, '--config', join(folder, 'tieout.yaml')], {
    stdio: ['ignore', output, 'inherit'],
    env: { ...process.env, TIEOUT_SERVICE_KEY: 'bench' },
  });

const newDatabase = async (name: string): Promise<string> => {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return postgres.url.replace(/\/postgres$/, `/${name}`);
};

const configure = (url: string, workspace: string): void =>
  configureEvenMonth(
    folder,
    `service: { url: "${url}", concurrency: ${concurrency}, asOf: honoured }\ndatabases: { workspace: "${workspace}" }\n`,
  );

/** The seconds of each stage that is handed out, of a close of a new month by so many workers. */
const secondsBy = async (workers: number): Promise<Readonly<Record<string, number>>> => {
  const service = spawn(process.execPath, [SERVICE, String(latencyMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(service.stdout, 'data')) as [Buffer];
  configure(line.toString().trim(), await newDatabase(`by_${workers}`));
  const started = Array.from({ length: workers }, () => run(['worker'], 'pipe'));
  await Promise.all(
    started.map((worker) => once(worker.stdout as NonNullable<typeof worker.stdout>, 'data')),
  );
  const close = run(['close', '2026-10', '--output', join(folder, 'out'), '--workers', 'queue'], 'pipe');
  const seconds: Record<string, number> = {};
  let beganMs = performance.now();
  close.stdout?.on('data', (piece: Buffer) => {
    for (const [, stage] of piece.toString().matchAll(/^([a-z-]+): /gm)) {
      seconds[String(stage)] = (performance.now() - beganMs) / 1000;
      beganMs = performance.now();
    }
  });
  await once(close, 'exit');
  for (const worker of started) worker.kill('SIGTERM');
  await Promise.all(started.map((worker) => worker.exitCode ?? once(worker, 'exit')));
  service.kill();
  return seconds;
};

print(`${orders} orders, ${latencyMs} ms a call, ${concurrency} calls at once for each worker`);
let one: number | undefined;
for (const workers of [1, 2, 4]) {
  const seconds = await secondsBy(workers);
  const total = STAGES.reduce((sum, stage) => sum + (seconds[stage] ?? Number.NaN), 0);
  one ??= total;
  const stages = STAGES.map((stage) => `${stage} ${seconds[stage]?.toFixed(1)}`).join(', ');
  print(
    `${workers} workers: ${total.toFixed(1)} s (${stages}), ${(one / total).toFixed(2)} times one worker, load ${loadavg()[0]?.toFixed(1)}`,
  );
}
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
