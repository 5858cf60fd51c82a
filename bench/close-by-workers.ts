import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Client } from 'pg';
import { startPostgres } from '../test/support/postgres.ts';
import { configureEvenMonth, writeStorefrontExport } from './even-month.ts';
import { writeMonth } from './month/write-month.ts';
import type { Measured } from './parts/cost.ts';
import { processorSeconds } from './served.ts';

const place = (path: string): string => new URL(path, import.meta.url).pathname;

export type Setting = {
  readonly orders: number;
  /** None: the close does all of it. */
  readonly workers: number;
  /** What the stand-in for the service takes for a call; `null` for the embedded service and a month of `month/`. */
  readonly latencyMs: number | null;
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
      const names = [`close_${closes}`, `ledger_${closes}`];
      for (const name of names) await server.query(`create database ${name}`);
      const [workspace = '', ledger = ''] = names.map((name) =>
        postgres.url.replace(/\/postgres$/, `/${name}`),
      );
      const measured = await closeOnce(setting, { folder, server, workspace, ledger });
      for (const name of names) await server.query(`drop database ${name}`);
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

type Place = {
  readonly folder: string;
  readonly server: Client;
  readonly workspace: string;
  readonly ledger: string;
};

/** The stand-in for a service, with its address. */
type StandIn = { readonly child: ChildProcess; readonly url: string };

/** Writes a month and its configuration; starts the service that it names, if it names one. */
const prepare = async (
  { orders, latencyMs, concurrency }: Setting,
  { folder, workspace, ledger }: Place,
): Promise<StandIn | undefined> => {
  if (latencyMs === null) {
    await writeMonth(folder, orders);
    const databases = `databases: { workspace: "${workspace}", ledger: "${ledger}" }\n`;
    appendFileSync(join(folder, 'tieout.yaml'), databases);
    return undefined;
  }
  await writeStorefrontExport(join(folder, 'orders.csv'), 2 * orders);
  const child = spawn(process.execPath, [place('latency-service.ts'), String(latencyMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  configureEvenMonth(
    folder,
    `service: { url: "${url}", concurrency: ${concurrency}, asOf: honoured }\ndatabases: { workspace: "${workspace}" }\n`,
  );
  return { child, url };
};

const callsOf = async ({ url }: StandIn): Promise<number> => {
  const { taxes, created, shown, listed } = (await (await fetch(`${url}stats`)).json()) as Stats;
  return taxes + created + shown + listed;
};

const closeOnce = async (setting: Setting, at: Place): Promise<MeasuredClose> => {
  const { folder, server } = at;
  const { orders } = setting;
  const service = await prepare(setting, at);
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
    const { rows } = await server.query<{ pid: number; calls: string }>(
      'select pg_backend_pid() as pid, sum(calls) as calls from pg_stat_statements',
    );
    return {
      workers: workers.reduce((sum, worker) => sum + processorSeconds(worker), 0),
      database: serverSeconds(rows[0]?.pid ?? 0),
      service: service ? processorSeconds(service.child) : 0,
      statements: Number(rows[0]?.calls),
      calls: service ? await callsOf(service) : 0,
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
  service?.child.kill();
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
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
