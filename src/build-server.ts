import { pino } from 'pino';
import type { CommandIo, ServedService, ServeOptions } from './cli/io.ts';
import { connect } from './database/connect.ts';
import { damageOf } from './database/damage-of.ts';
import type { Database } from './database/database.ts';
import type { Clock } from './kernel/clock.ts';
import { loggableError } from './service/http/loggable-error.ts';
import { serviceMetrics } from './service/http/metrics.ts';
import { startMetricsServer } from './service/http/metrics-server.ts';
import type { DamageLook } from './service/http/refusals.ts';
import { startTaxServer } from './service/http/tax-server.ts';
import { openLedger } from './service/ledger/ledger.ts';

/** Build the served tax service: its books, its content, its logs as JSON lines. Stopping it closes the books. */
export const buildServer = async (
  { ledger: url, content, logLevel, metrics: metricsAddress, ...settings }: ServeOptions,
  io: CommandIo,
  writeLog: (line: string) => void,
): Promise<ServedService> => {
  const closing: (() => Promise<void>)[] = [];
  // Whatever one of them cannot do, for example write to books that are out, the others still end.
  const stop = async (): Promise<void> => {
    const close = closing.pop();
    if (!close) return;
    try {
      await close();
    } finally {
      await stop();
    }
  };
  try {
    const database = await connect(url);
    closing.push(database.close);
    const metrics = metricsAddress && serviceMetrics();
    const metricsServer = metrics && (await startMetricsServer(metrics, metricsAddress));
    if (metricsServer) closing.push(metricsServer.stop);
    const server = await startTaxServer({
      ...settings,
      ...(metrics && { metrics }),
      ledger: await openLedger(database, io.clock, metrics?.countGroup),
      content: await io.loadContent(content),
      clock: io.clock,
      damage: damageLook(database, io.clock),
      logger: pino({ level: logLevel, base: null, serializers: { err: loggableError } }, { write: writeLog }),
    });
    closing.push(server.stop);
    return { url: server.url, ...(metricsServer && { metricsUrl: metricsServer.url }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const LOOK_EVERY_MS = 60_000;

/** A look at the books reads all of them, and no one is answered meanwhile: what it finds holds for a minute. */
const damageLook = (database: Database, clock: Clock): DamageLook => {
  let found: ReturnType<DamageLook>;
  let lookedAt: number | undefined;
  return () => {
    const now = clock.now();
    if (lookedAt === undefined || now - lookedAt > LOOK_EVERY_MS) {
      found = damageOf(database);
      lookedAt = now;
    }
    return found;
  };
};
