import cluster from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readError, TieoutError } from '../kernel/errors.ts';
import { processesMetrics, startMetricsServer } from '../service/metrics.ts';
import {
  ENDED,
  ENDING,
  metricsAddressOf,
  type ServedService,
  type ServeOptions,
  serviceLog,
} from './build-server.ts';
import type { FromProcess } from './serve-process.ts';

/**
 * Serves in several processes on one port. This process hands out connections in turn, collects metrics and sends
 * signals on. When one of them ends by itself, the service ends as a whole, and whatever watches over it starts it again.
 *
 * @throws {TieoutError} E_SERVE_MEMORY, and the errors of starting a process
 */
export const serveOnProcesses = async (
  options: ServeOptions,
  count: number,
  writeLog: (line: string) => void,
): Promise<ServedService> => {
  if (options.ledger === 'sqlite::memory:')
    throw new TieoutError({
      code: 'E_SERVE_MEMORY',
      message: 'A service database in memory belongs to one process, and --processes asks for several.',
      nextStep: 'Name a file or a PostgreSQL database with --ledger, or leave --processes out.',
    });
  const log = serviceLog(options.logLevel, writeLog);
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => {});
  let isEnding = false;
  // Where each process takes connections from the system, one of two may get nearly all.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./serve-process.ts', import.meta.url)), args: [] });

  /** Starts a process. Returns the address. */
  const start = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const worker = cluster.fork();
      // What is sent to a process that has just ended raises an error here; its exit says the same.
      worker.on('error', () => {});
      worker.on('message', (message: FromProcess) => {
        if ('serving' in message) resolve(message.serving);
        else if ('refused' in message) reject(readError(message.refused));
      });
      worker.once('exit', (code, signal) => {
        if (isEnding) return;
        const error = deathOf(code, signal);
        log.error({ process: worker.id, err: error }, 'A process of the service has ended.');
        reject(error);
        fail(error);
      });
      worker.send(options);
    });

  const stopAll = async (): Promise<void> => {
    isEnding = true;
    const workers = Object.values(cluster.workers ?? {}).flatMap((one) => (one?.isDead() ? [] : (one ?? [])));
    const exits = workers.map((worker) => once(worker, 'exit'));
    for (const worker of workers) worker.process.kill('SIGTERM');
    await Promise.all(exits);
    // A connection that was on its way to a process that has ended stays open here, and keeps this one alive.
    setTimeout(() => process.exit(), LEFT_MS).unref();
  };

  try {
    // The first starts alone, so that it creates the tables and reports a problem only once.
    const url = await start();
    await Promise.all(Array.from({ length: count - 1 }, start));
    const metricsAddress = metricsAddressOf(options);
    const metricsServer = metricsAddress && (await startMetricsServer(processesMetrics(), metricsAddress));
    return {
      url,
      ...(metricsServer && { metricsUrl: metricsServer.url }),
      failed,
      stop: async () => {
        log.info({ drainSeconds: options.drain }, ENDING);
        await stopAll();
        await metricsServer?.stop();
        log.info(ENDED);
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
};

/** How long connections that no process has taken are kept after the end. */
const LEFT_MS = 500;

const deathOf = (code: number | null, signal: string | null): TieoutError =>
  new TieoutError({
    code: 'E_SERVE_PROCESS',
    message: `A process of the service ended by itself, with ${signal === null ? `exit code ${code}` : signal}.`,
    nextStep: 'Read what the log says before it, and report it where that is a defect.',
  });
