import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Client } from 'pg';
import { startPostgres } from '../test/support/postgres.ts';
import { configureEvenMonth, writeStorefrontExport } from './even-month.ts';
import type { Measured } from './parts/cost.ts';
import { processorSeconds } from './served.ts';

const place = (path: string): string => new URL(path, import.meta.url).pathname;

export type Setting = {
  readonly orders: number;
  /** None: the close does all of it. */
  readonly workers: number;
  readonly latencyMs: number;
  /** Calls at once of the close, and of each worker. */
  readonly concurrency: number;
};

/** What a stage has cost: seconds on the clock and of processor, statements of the database, and calls of the service. */
export type StageCost = {
  readonly stage: string;
  readonly wall: number;
  readonly close: number;
  readonly workers: number;
  readonly database: number;
  readonly service: number;
  readonly statements: number;
  readonly calls: number;
};

export type MeasuredClose = Setting & { readonly stages: readonly StageCost[]; readonly peakMb: number };

type Others = Omit<StageCost, 'stage' | 'wall' | 'close'>;
type Stats = Readonly<Record<'taxes' | 'created' | 'shown' | 'listed', number>>;

export type Bench = {
  readonly close: (setting: Setting) => Promise<MeasuredClose>;
  readonly stop: () => Promise<void>;
};

/** A server of its own that counts statements, on which months are closed one after the other, each in a new database. */
export const benchOnPostgres = async (): Promise<Bench> => {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'tieout-workers-'));
  const first = await connected(postgres.url);
  await first.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await first.end();
  await postgres.halt();
  await postgres.resume();
  const server = await connected(postgres.url);
  await server.query('create extension pg_stat_statements');
  let closes = 0;
  return {
    close: async (setting) => {
      closes += 1;
      await server.query(`create database close_${closes}`);
      const database = postgres.url.replace(/\/postgres$/, `/close_${closes}`);
      const measured = await closeOnce(setting, { folder, server, database });
      await server.query(`drop database close_${closes}`);
      return measured;
    },
    stop: async () => {
      await server.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const connected = async (connectionString: string): Promise<Client> => {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
};

type Place = { readonly folder: string; readonly server: Client; readonly database: string };

const closeOnce = async (setting: Setting, { folder, server, database }: Place): Promise<MeasuredClose> => {
  const { orders, latencyMs, concurrency } = setting;
  await writeStorefrontExport(join(folder, 'orders.csv'), 2 * orders);
  const service = spawn(process.execPath, [place('latency-service.ts'), String(latencyMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(service.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  configureEvenMonth(
    folder,
    `service: { url: "${url}", concurrency: ${concurrency}, asOf: honoured }\ndatabases: { workspace: "${database}" }\n`,
  );
  const run = (script: string, ...args: readonly (string | number)[]) =>
    spawn(process.execPath, [place(script), ...args.map(String)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TIEOUT_SERVICE_KEY: 'bench' },
    });
  const workers = Array.from({ length: setting.workers }, () =>
    run('../src/start.js', 'worker', '--config', join(folder, 'tieout.yaml')),
  );
  await Promise.all(workers.map((worker) => once(worker.stdout, 'data')));
  const othersNow = async (): Promise<Others> => {
    const stats = (await (await fetch(`${url}stats`)).json()) as Stats;
    const { rows } = await server.query<{ pid: number; calls: string }>(
      'select pg_backend_pid() as pid, sum(calls) as calls from pg_stat_statements',
    );
    return {
      workers: workers.reduce((sum, worker) => sum + processorSeconds(worker), 0),
      database: serverSeconds(rows[0]?.pid ?? 0),
      service: processorSeconds(service),
      statements: Number(rows[0]?.calls),
      calls: stats.taxes + stats.created + stats.shown + stats.listed,
    };
  };

  const stages: StageCost[] = [];
  let peakMb = 0;
  let before = await othersNow();
  const close = run('parts/close.ts', folder, orders, setting.workers > 0 ? 'workers' : '');
  for await (const text of createInterface(close.stdout)) {
    const { part, wallMs, cpuMs, ...measured } = JSON.parse(text) as Measured;
    peakMb = measured.peakMb;
    if (!part.startsWith('close: ')) continue;
    const now = await othersNow();
    const others = Object.entries(now).map(([name, value]) => [name, value - before[name as keyof Others]]);
    const own = { wall: wallMs / 1000, close: cpuMs / 1000 };
    stages.push({ stage: part.slice('close: '.length), ...own, ...(Object.fromEntries(others) as Others) });
    before = now;
  }
  for (const worker of workers) worker.kill('SIGTERM');
  await Promise.all(workers.map((worker) => worker.exitCode ?? once(worker, 'exit')));
  service.kill();
  rmSync(join(folder, 'output'), { recursive: true, force: true });
  return { ...setting, stages, peakMb };
};

const TICKS_PER_SECOND = 100;

/** Seconds of processor time of the database server: its first process, those that have ended, and those that have not. */
const serverSeconds = (backend: number): number => {
  const first = fieldsOf(backend)?.[PARENT];
  if (first === undefined) return Number.NaN;
  const others = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => fieldsOf(Number(name)))
    .filter((fields) => fields?.[PARENT] === first);
  const ticks = [
    ...(fieldsOf(first)?.slice(...WITH_ENDED) ?? []),
    ...others.flatMap((one) => one?.slice(...OWN) ?? []),
  ];
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
};

/** Behind the name in `/proc/PID/stat`: the process that began it, and its ticks, without and with those of ended processes. */
const PARENT = 1;
const OWN = [11, 13] as const;
const WITH_ENDED = [11, 15] as const;

const fieldsOf = (pid: number): readonly number[] | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').map(Number);
  } catch {
    return undefined;
  }
};
