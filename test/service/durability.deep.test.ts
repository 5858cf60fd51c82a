import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { loadContent } from '../../src/content/load-content.ts';
import { connect } from '../../src/database/connect.ts';
import { fixedClock, instant } from '../../src/kernel/calendar.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { startTaxServer } from '../../src/service/tax-server.ts';
import { ORDER, SANTA_MONICA } from '../contract/samples.ts';
import { send } from '../contract/send.ts';
import { servedTaxService } from '../contract/served-tax-service.ts';
import { onEveryDatabase, type TestDatabases } from '../support/databases.ts';

const PROGRAM = fileURLToPath(new URL('./serve-until-killed.ts', import.meta.url));
const clock = fixedClock(instant(Date.parse('2026-11-02')));
const content = loadContent();

const started = async (url: string, deadlineMs?: number) => {
  const database = await connect(url);
  const ledger = await openLedger(database, clock);
  const { id } = await ledger.accounts.ensure({ name: 'seller', ...SANTA_MONICA });
  const { secret } = await ledger.keys.create(id);
  const server = await startTaxServer({
    ledger,
    content,
    clock,
    host: '127.0.0.1',
    port: 0,
    ...(deadlineMs !== undefined && { deadlineMs }),
  });
  const client = servedTaxService({ url: server.url, key: secret });
  return { database, ledger, id, server, client, secret };
};

const orders = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...ORDER, transaction_id: `o-${index}` }));

describe('what was answered is kept', () => onEveryDatabase(durabilityCases));

const durabilityCases = ({ newUrl }: TestDatabases): void => {
  const clients: { close: () => Promise<void> }[] = [];
  afterAll(() => Promise.all(clients.map((client) => client.close())));

  it('when the server is killed in the middle of its work', async () => {
    const url = await newUrl();
    const child = spawn(process.execPath, [PROGRAM, url], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const {
      url: base,
      key,
      accountId: account_id,
    } = JSON.parse(line.toString()) as {
      url: string;
      key: string;
      accountId: number;
    };
    const client = servedTaxService({ url: base, key });
    clients.push(client);
    const acknowledged: string[] = [];
    await Promise.allSettled(
      orders(2_000).map(async (order) => {
        const { transaction_id: id } = await client.createOrder(order);
        acknowledged.push(id);
        if (acknowledged.length === 200) child.kill('SIGKILL');
      }),
    );
    expect(acknowledged.length).toBeGreaterThanOrEqual(200);
    expect(acknowledged.length).toBeLessThan(2_000);

    const database = await connect(url);
    const { transactions } = await openLedger(database);
    const kept = new Set(await transactions.listIds({ account_id, kind: 'order', provider: 'api' }));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    await database.close();
  });

  it('and what takes too long is answered with 503, and kept all the same', async () => {
    const url = await newUrl();
    const { database, server, client, secret } = await started(url, 100);
    clients.push(client);
    const other = await connect(url);
    await other
      .tables<{ transactions: { kind: string } }>()
      .transaction()
      .execute(async (transaction) => {
        if (other.engine === 'postgres') await sql`lock table transactions`.execute(transaction);
        const { status, text } = await send(`${server.url}transactions/orders`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}` },
          body: JSON.stringify(ORDER),
        });
        expect([status, JSON.parse(text).detail]).toEqual([503, 'the request took longer than 100 ms']);
      });
    await expect
      .poll(() => client.showOrder('order-1').catch(() => undefined), { timeout: 10_000 })
      .toMatchObject({ transaction_id: 'order-1' });
    await other.close();
    await server.stop();
    await database.close();
  });
};
