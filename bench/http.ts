import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newDatabase } from '../test/support/new-database.ts';
import { type PostgresServer, startPostgres } from '../test/support/postgres.ts';
import { COMMAND, command } from './command.ts';
import { inFolder } from './cost.ts';
import { distant } from './distant.ts';
import { writeMonth } from './month/write-month.ts';
import { print, processorSeconds, serve } from './served.ts';
import { machine } from './tell.ts';

/**
 * `npm run bench:http [-- --orders 20000 --milliseconds 50 --concurrency 16]`: close a month through a `tieout serve` on
 * the same machine, every calculation, record and reading back over HTTP, each answer so many milliseconds late.
 * `npm run bench:workers` closes it so without workers, and by one, two and four, with a queue on PostgreSQL.
 */
const { values: options } = parseArgs({
  options: {
    orders: { type: 'string', default: '20000' },
    milliseconds: { type: 'string', default: '0' },
    concurrency: { type: 'string', default: '16' },
    workers: { type: 'string' },
  },
});
const orders = Number(options.orders);
const milliseconds = Number(options.milliseconds);

const startWorker = async (config: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> => {
  const worker = spawn(process.execPath, [COMMAND, 'worker', '--config', config], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env,
  });
  await once(worker.stdout, 'data');
  return worker;
};

const end = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};

const secondsOf = (processes: readonly ChildProcess[]): string =>
  processes.reduce((sum, child) => sum + processorSeconds(child), 0).toFixed(1);

const closeBy = (count: number, postgres: PostgresServer | undefined): Promise<void> =>
  inFolder(async (folder) => {
    await writeMonth(folder, orders);
    const served = await serve(`sqlite:${join(folder, 'served.db')}`);
    const service = await distant(served.url, milliseconds);
    const config = join(folder, 'tieout.yaml');
    const about = `url: "${service.url}", concurrency: ${options.concurrency}, asOf: honoured`;
    appendFileSync(config, `service: { ${about} }\n`);
    if (postgres) {
      const { url } = await newDatabase(postgres.url);
      appendFileSync(config, `databases: { queue: "${url}" }\n`);
    }
    const env = { ...process.env, TIEOUT_SERVICE_KEY: served.key };
    const workers: ChildProcess[] = [];
    while (workers.length < count) workers.push(await startWorker(config, env));
    const shared = count === 0 ? [] : ['--workers', 'queue'];
    const output = join(folder, 'out');
    const { code, cost } = await command(
      ['close', '2026-10', '--config', config, '--output', output, '--quiet', ...shared],
      { env },
    );
    const processors = [
      `${cost.cpuMs / 1_000} s of the close`,
      `${secondsOf(workers)} s of workers`,
      `${secondsOf([served.child])} s of the service`,
    ];
    print(
      `${count} workers: ${cost.wallMs / 1_000} s; processor ${processors.join(', ')}; exit code ${code}`,
    );
    for (const child of [...workers, served.child]) await end(child);
    service.stop();
  });

print(`${orders} orders, ${milliseconds} ms a call, ${machine()}`);
if (options.workers === undefined) await closeBy(0, undefined);
else {
  const postgres = await startPostgres();
  for (const count of options.workers.split(',')) await closeBy(Number(count), postgres);
  await postgres.stop();
}
