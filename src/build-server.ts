import { pino } from 'pino';
import type { CommandIo, ServeOptions } from './cli/io.ts';
import { connect } from './database/connect.ts';
import { startTaxServer, type TaxServer } from './service/http/tax-server.ts';
import { openLedger } from './service/ledger/ledger.ts';

/** Build the served tax service: its books, its content, its logs as JSON lines. Stopping it closes the books. */
export const buildServer = async (
  options: ServeOptions,
  io: CommandIo,
  writeLog: (line: string) => void,
): Promise<TaxServer> => {
  const database = await connect(options.ledger);
  try {
    const { ledger: _, content, ...settings } = options;
    const server = await startTaxServer({
      ...settings,
      ledger: await openLedger(database, io.clock),
      content: await io.loadContent(content),
      clock: io.clock,
      logger: pino({ level: 'warn' }, { write: writeLog }),
    });
    return {
      url: server.url,
      stop: async () => {
        await server.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
};
