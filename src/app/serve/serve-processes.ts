import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ServedService, ServeOptions } from '../../cli/io.ts';
import type { Clock } from '../../kernel/clock.ts';
import { TieoutError } from '../../kernel/errors.ts';
import { handedOutInTurn } from '../../runtime/hand-out-connections.ts';
import { processesMetrics, startMetricsServer } from '../../service/http/metrics.ts';
import { requestCounter } from '../../service/http/rate-limit.ts';
import { ENDED, ENDING, serviceLog } from './build-server.ts';
import type { FromProcess, ToProcess } from './serve-process.ts';

const DEATHS_MAX = 3;
const DEATHS_WITHIN_MS = 60_000;
/** A process that was asked to stop may finish its requests for this long; then it is killed. */
const END_WAIT_MS = 40_000;

/**
 * Serves in several processes on one port. This process accepts the connections and distributes them in turn, replaces
 * a process that ends, counts requests for rate limits, collects metrics, and on SIGHUP replaces all processes one by
 * one.
 *
 * @throws {TieoutError} E_SERVE_MEMORY, and the errors of starting a process
 */
export const serveOnProcesses = async (
  options: ServeOptions,
  count: number,
  clock: Clock,
  writeLog: (line: string) => void,
): Promise<ServedService> => {
  if (options.ledger === 'sqlite::memory:') throw inMemory();
  const log = serviceLog(options.logLevel, writeLog);
  const countRequest = requestCounter(clock);
  const serving = new Map<number, Worker>();
  const leaving = new Set<Worker>();
  const handOut = handedOutInTurn(serving);
  const metrics = processesMetrics(
    () => serving.size,
    () =>
      log.error(
        { processes: serving.size },
        'A process does not answer for its metrics. If it hangs, SIGHUP replaces it with the others.',
      ),
  );
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => {});
  let deaths: number[] = [];
  let isEnding = false;
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./serve-process.ts', import.meta.url)), args: [] });

  /** Starts a process and lets it replace the one with the same number. Returns the address. */
  const start = async (number: number): Promise<string> => {
    const worker = cluster.fork();
    // Handing a connection to a process that has just ended raises an error here; its exit event reports the end as
    // well.
    worker.on('error', () => {});
    handOut(worker);
    tell(worker, { serve: options, process: number });
    const url = await new Promise<string>((resolve, reject) => {
      worker.on('message', (message: FromProcess) => {
        if ('serving' in message) resolve(message.serving);
        else if ('refused' in message) reject(new TieoutError(message.refused));
        else if ('count' in message) tell(worker, { counts: message.count.map(countRequest) });
      });
      worker.once('exit', (code, signal) => reject(deathOf(code, signal)));
    });
    const before = serving.get(number);
    serving.set(number, worker);
    worker.once('exit', (code, signal) => {
      if (leaving.delete(worker)) return;
      serving.delete(number);
      replaceDead(number, deathOf(code, signal));
    });
    if (before) {
      leaving.add(before);
      await ended(before, 'replaced', options);
    }
    return url;
  };

  const replaceDead = (number: number, error: TieoutError): void => {
    if (isEnding) return;
    log.error({ process: number, err: error }, 'A process of the service has ended.');
    const now = clock.now();
    deaths = [...deaths.filter((at) => now - at < DEATHS_WITHIN_MS), now];
    if (deaths.length >= DEATHS_MAX) fail(tooManyDeaths(error));
    else {
      metrics.countStart('death');
      start(number).catch((again) => replaceDead(number, again));
    }
  };

  const replaceAll = async (): Promise<void> => {
    log.info({ processes: serving.size }, 'All processes of the service are being replaced.');
    for (const number of [...serving.keys()]) {
      if (isEnding) return;
      metrics.countStart('rolling restart');
      await start(number);
    }
    log.info({ processes: serving.size }, 'All processes of the service were replaced.');
  };

  let replacing: Promise<void> = Promise.resolve();
  const onHangUp = (): void => {
    replacing = replacing.then(replaceAll).catch((error) => {
      log.error({ err: error }, 'A process could not be replaced; those that serve go on.');
    });
  };

  const stopAll = async (): Promise<void> => {
    isEnding = true;
    process.off('SIGHUP', onHangUp);
    await Promise.all(
      Object.values(cluster.workers ?? {}).map((worker) => worker && ended(worker, 'all', options)),
    );
  };

  try {
    const metricsServer = options.metrics && (await startMetricsServer(metrics, options.metrics));
    metrics.countStart('first');
    // The first starts alone, so that it creates the tables and reports a problem only once.
    const url = await start(1);
    for (let number = 2; number <= count; number += 1) metrics.countStart('first');
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => start(index + 2)));
    process.on('SIGHUP', onHangUp);
    const stop = async (): Promise<void> => {
      log.info({ drainSeconds: options.drainSeconds }, ENDING);
      await stopAll();
      await metricsServer?.stop();
      log.info(ENDED);
    };
    return { url, ...(metricsServer && { metricsUrl: metricsServer.url }), failed, stop };
  } catch (error) {
    await stopAll();
    throw error;
  }
};

/** Sends a message, unless the process has just ended. */
const tell = (worker: Worker, message: ToProcess): void => {
  if (worker.isConnected()) worker.send(message, () => {});
};

const ended = async (
  worker: Worker,
  end: 'replaced' | 'all',
  { drainSeconds }: ServeOptions,
): Promise<void> => {
  if (worker.isDead()) return;
  // Asking a process that is about to exit for its metrics raises an error on it, with which `once` of events would end.
  const exit = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve());
  });
  tell(worker, { end });
  const waiting = new AbortController();
  pause(drainSeconds * 1_000 + END_WAIT_MS, undefined, { signal: waiting.signal }).then(
    () => worker.process.kill('SIGKILL'),
    () => {},
  );
  await exit;
  waiting.abort();
};

const deathOf = (code: number | null, signal: string | null): TieoutError =>
  new TieoutError({
    code: 'E_SERVE_PROCESS',
    recovery: 'retry',
    message: `A process of the service ended by itself, with ${signal === null ? `exit code ${code}` : signal}.`,
    nextStep: 'Read what the log says before it, and report it where that is a defect.',
  });

const tooManyDeaths = (last: TieoutError): TieoutError =>
  new TieoutError({
    code: 'E_SERVE_PROCESS',
    recovery: last.recovery,
    message: `${DEATHS_MAX} processes of the service ended within ${DEATHS_WITHIN_MS / 1_000} seconds. The last one: ${last.message}`,
    nextStep: last.nextStep,
    cause: last,
  });

const inMemory = (): TieoutError =>
  new TieoutError({
    code: 'E_SERVE_MEMORY',
    recovery: 'usage',
    message: 'A service database in memory belongs to one process, and --processes asks for several.',
    nextStep: 'Name a file or a PostgreSQL database with --ledger, or leave --processes out.',
  });
