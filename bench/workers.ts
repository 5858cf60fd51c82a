import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { newDatabase } from '../test/support/new-database.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { command } from './command.ts';
import { inFolder } from './cost.ts';
import { distant } from './distant.ts';
import { writeMonth } from './month/write-month.ts';
import { print, processorSeconds, serve } from './served.ts';

/**
 * `npm run bench:workers [orders] [milliseconds] [concurrency]`: a month against a `tieout serve` that takes so long for
 * each call, closed without workers, and by one, two and four of them in processes of their own, each with so many
 * calls at once. The workspace is on PostgreSQL.
 */
const [orders = 4_000, milliseconds = 50, concurrency = 16] = process.argv.slice(2).map(Number);
const START = new URL('../dist/tieout.js', import.meta.url).pathname;

const postgres = await startPostgres();
print(`${orders} orders, ${milliseconds} ms a call, ${concurrency} calls at once for each process`);
for (const count of [0, 1, 2, 4])
  await inFolder(async (folder) => {
    await writeMonth(folder, orders);
    const served = await serve(`sqlite:${join(folder, 'served.db')}`);
    const service = await distant(served.url, milliseconds);
    const { url: workspace } = await newDatabase(postgres.url);
    const config = join(folder, 'tieout.yaml');
    appendFileSync(
      config,
      `service: { url: "${service.url}", concurrency: ${concurrency}, asOf: honoured }\ndatabases: { workspace: "${workspace}" }\n`,
    );
    const env = { ...process.env, TIEOUT_SERVICE_KEY: served.key };
    const workers = Array.from({ length: count }, () =>
      spawn(process.execPath, [START, 'worker', '--config', config], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env,
      }),
    );
    await Promise.all(workers.map((worker) => once(worker.stdout, 'data')));
    const about = ['--config', config, '--output', join(folder, 'out'), '--quiet'];
    const how = count === 0 ? [] : ['--workers', 'queue'];
    const { code, cost } = await command(['close', '2026-10', ...about, ...how], { env });
    const ofWorkers = workers.reduce((sum, worker) => sum + processorSeconds(worker), 0);
    print(
      `${count} workers: ${(cost.wallMs / 1000).toFixed(1)} s, processor ${(cost.cpuMs / 1000).toFixed(1)} s of the close ` +
        `and ${ofWorkers.toFixed(1)} s of workers, exit code ${code}, load ${loadavg()[0]?.toFixed(1)}`,
    );
    for (const child of [...workers, served.child]) child.kill('SIGTERM');
    await Promise.all([...workers, served.child].map((child) => child.exitCode ?? once(child, 'exit')));
    service.stop();
  });
await postgres.stop();
