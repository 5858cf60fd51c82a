import { expect, it } from 'vitest';
import { loadContent } from '../../src/content/load-content.ts';
import { connect } from '../../src/database/connect.ts';
import { systemClock } from '../../src/kernel/calendar.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { startTaxServer } from '../../src/service/tax-server.ts';
import { send } from '../contract/send.ts';

it('a failure that no one foresaw is answered with its number, and nothing of what it stumbled over', async () => {
  const database = await connect('sqlite::memory:');
  const ledger = await openLedger(database);
  const accountOf = async (): Promise<never> => {
    throw new Error('duplicate row (1685 Main Street)');
  };
  const server = await startTaxServer({
    ledger: { ...ledger, keys: { ...ledger.keys, accountOf } },
    content: loadContent(),
    clock: systemClock,
    host: '127.0.0.1',
    port: 0,
  });
  const { status, text, headers } = await send(`${server.url}categories`, {
    headers: { authorization: 'Bearer a-key' },
  });
  await server.stop();
  await database.close();
  expect([status, JSON.parse(text)]).toEqual([
    500,
    {
      status: 500,
      error: 'Internal Server Error',
      detail: `the service failed to answer request ${String(headers['x-request-id'])}`,
    },
  ]);
});
