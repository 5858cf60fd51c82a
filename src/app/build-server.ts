import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { pino } from 'pino';
import { contentName } from '../content/load-content.ts';
import type { TaxContent } from '../content/tax-content.ts';
import { connect, type Database, damageOf } from '../database/connect.ts';
import { type Clock, systemClock } from '../kernel/calendar.ts';
import { TieoutError } from '../kernel/errors.ts';
import { openLedger } from '../ledger/ledger.ts';
import { serviceMetrics, startMetricsServer } from '../service/metrics.ts';
import { type DamageLook, loggableError } from '../service/refusals.ts';
import { startTaxServer, type TaxServer } from '../service/tax-server.ts';

/** The options of `tieout serve`. */
export type ServeOptions = {
  readonly ledger: string;
  readonly content?: string;
  readonly host: string;
  readonly port: number;
  /** The files of a PEM certificate and its key. Every process reads them when it starts. */
  readonly certificate?: string;
  readonly key?: string;
  readonly insecure?: boolean;
  /** Seconds during which requests are still accepted after the service was asked to stop. */
  readonly drain: number;
  /** Number of serving processes, started by this one; if absent, this process serves. */
  readonly processes?: number;
  readonly logLevel: LogLevel;
  /** Port of the metrics, if they are served. */
  readonly metricsPort?: number;
  readonly metricsHost: string;
};

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** The service, and the address of its metrics if they are served. */
export type ServedService = Pick<TaxServer, 'url' | 'stop'> & {
  readonly metricsUrl?: string;
  /** Rejects when the service cannot continue. */
  readonly failed?: Promise<never>;
};

/**
 * Builds the served tax service: its database, content and JSON log. Stopping it closes the database.
 *
 * @param process the number of this process, if it is one of several
 */
export const buildServer = async (
  options: ServeOptions,
  loadContent: (folder: string | undefined) => TaxContent,
  writeLog: WriteLog,
  process?: number,
): Promise<ServedService> => {
  const { content: folder, drain, host, port } = options;
  const tls = tlsOf(options);
  const metricsAddress = metricsAddressOf(options);
  // If closing one of them fails, for example because the database is unavailable, the others are still closed.
  const opened = new AsyncDisposableStack();
  const log = serviceLog(options.logLevel, writeLog, process);
  try {
    const database = await connect(options.ledger);
    opened.defer(database.close);
    const metrics = metricsAddress && serviceMetrics(process);
    const metricsServer =
      metrics && process === undefined && (await startMetricsServer(metrics, metricsAddress));
    if (metricsServer) opened.defer(metricsServer.stop);
    const content = loadContent(folder);
    const server = await startTaxServer({
      host,
      port,
      insecure: options.insecure === true,
      waitingMax: WAITING_MAX,
      ...(metrics && { metrics }),
      ...(tls && { tls }),
      drainMs: drain * 1_000,
      ledger: await openLedger(database),
      content,
      contentName: contentName(content, folder),
      clock: systemClock,
      damage: damageLook(database, systemClock),
      logger: log,
    });
    return {
      url: server.url,
      ...(metricsServer && { metricsUrl: metricsServer.url }),
      stop: async () => {
        opened.defer(server.stop);
        if (process === undefined) log.info({ drainSeconds: drain }, ENDING);
        await opened.disposeAsync();
        if (process === undefined) log.info(ENDED);
      },
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
};

/** Concurrent requests of a process; more get 503. */
const WAITING_MAX = 500;

/** What the log of the whole service has of its end. */
export const ENDING = 'The service is ending.';
export const ENDED = 'The service has ended.';

type WriteLog = (line: string) => void;

/** Builds a log of JSON lines. If there are several processes, each line has the number of its process. */
export const serviceLog = (level: LogLevel, write: WriteLog, process?: number) =>
  pino(
    { level, base: process === undefined ? null : { process }, serializers: { err: loggableError } },
    { write },
  );

/** Returns where metrics are served; `undefined` if they are not. */
export const metricsAddressOf = ({ metricsPort: port, metricsHost: host }: ServeOptions) =>
  port === undefined ? undefined : { host, port };

/** Reads a certificate and its key, if they are named. @throws {TieoutError} E_SERVE_TLS */
const tlsOf = ({ certificate, key }: ServeOptions) => {
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined)
    throw tlsError(
      `TLS needs both --certificate and --key, and --${key === undefined ? 'key' : 'certificate'} is missing`,
      'Give both files, or neither.',
    );
  try {
    const tls = { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
    createSecureContext({ cert: tls.certificate, key: tls.key });
    return tls;
  } catch (error) {
    throw tlsError(
      `${certificate} and ${key} are not a PEM certificate and its key that can be read (${(error as Error).message})`,
      'Name the files that belong together, the whole chain in the first one, which this user may read.',
    );
  }
};

const tlsError = (message: string, nextStep: string): TieoutError =>
  new TieoutError({ code: 'E_SERVE_TLS', message, nextStep });

const LOOK_EVERY_MS = 60_000;

/**
 * Builds a check for damage. It reads the whole database and blocks all requests, so its result is cached for a minute.
 */
const damageLook = (database: Database, clock: Clock): DamageLook => {
  let found: ReturnType<DamageLook>;
  let lookedAt: number | undefined;
  return (error) => {
    const now = clock.now();
    if (lookedAt === undefined || now - lookedAt > LOOK_EVERY_MS) {
      found = damageOf(database, error);
      lookedAt = now;
    }
    return found;
  };
};
