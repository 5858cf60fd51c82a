import { loadContent } from '../../../src/content/load-content.ts';
import { connect } from '../../../src/database/connect.ts';
import { systemClock } from '../../../src/kernel/calendar.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { startTaxServer } from '../../../src/service/tax-server.ts';
import { SANTA_MONICA } from '../../contract/samples.ts';
import { send } from '../../contract/send.ts';
import { hostileRequest } from '../../service/hostile-requests.ts';
import { type FuzzTarget, fuzzRun, inTime } from '../fuzz-target.ts';

/** Requests of any kind to a running service. */
export const requests: FuzzTarget = {
  name: 'requests',
  share: 200,
  open: async () => {
    const database = await connect('sqlite::memory:');
    const ledger = await openLedger(database);
    const { id } = await ledger.accounts.ensure({ name: 'fuzzed', ...SANTA_MONICA });
    const { secret } = await ledger.keys.create(id);
    const server = await startTaxServer({
      ledger,
      content: loadContent(),
      clock: systemClock,
      host: '127.0.0.1',
      port: 0,
    });
    return {
      run: fuzzRun(hostileRequest, async ({ method, path, contentType, body }) => {
        const headers = { authorization: `Bearer ${secret}`, 'content-type': contentType };
        const address = path.startsWith('/')
          ? `${new URL(server.url).origin}${path}`
          : `${server.url}${path}`;
        const { status, text } = await inTime(
          send(address, { method, headers, ...(body !== undefined && { body }) }),
        );
        if (status === 500 || /node_modules|at .+\.ts:\d|SQLITE/.test(text))
          throw new Error(`${status} ${text}`);
      }),
      close: async () => {
        await server.stop();
        await database.close();
      },
    };
  },
};
