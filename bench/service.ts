import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../src/database/connect.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { loadContent } from '../src/service/content/load-content.ts';
import { startTaxServer } from '../src/service/http/tax-server.ts';
import { openLedger } from '../src/service/ledger/ledger.ts';

/**
 * `node bench/service.ts [database address]`: requests per second over HTTP, the server in a process of its own and
 * the load beside it on the same machine. Without an address it serves a SQLite file in a temporary folder.
 */
const CONCURRENCY = 32;
const SECONDS = 4;

type Served = { readonly url: string; readonly key: string };

const serve = async (url: string): Promise<void> => {
  const database = await connect(url);
  const ledger = await openLedger(database);
  const address = { country: 'US', state: 'CA', zip: '90404' };
  const { id } = await ledger.accounts.ensure({ name: 'bench', address, nexus: [address] });
  const { secret } = await ledger.keys.create(id);
  const content = loadContent();
  const server = await startTaxServer({ ledger, content, clock: systemClock, host: '127.0.0.1', port: 0 });
  process.send?.({ url: server.url, key: secret } satisfies Served);
  process.once('disconnect', async () => {
    await server.stop();
    await database.close();
  });
};

const load = async ({ url, key }: Served): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const ask = (method: string, path: string, body?: object): Promise<number> =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${key}`,
        ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      };
      const sent = request(url + path, { agent, method, headers }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.once('error', reject).end(text);
    });
  const measure = async (name: string, status: number, next: () => Promise<number>): Promise<void> => {
    const latencies: number[] = [];
    let refused = 0;
    const end = performance.now() + SECONDS * 1_000;
    const worker = async () => {
      while (performance.now() < end) {
        const start = performance.now();
        if ((await next()) !== status) refused += 1;
        latencies.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    latencies.sort((left, right) => left - right);
    const perSecond = Math.round(latencies.length / SECONDS);
    const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? 0;
    print(`${name}: ${perSecond} per second, 99 % within ${p99.toFixed(1)} ms, ${refused} not ${status}`);
  };

  const run = Date.now();
  const idOf = (count: number) => `${run}-${count}`;
  const line_items = [10, 20, 30].map((unit_price) => ({
    quantity: 1,
    unit_price,
    product_tax_code: '20010',
  }));
  const to = { to_country: 'US', to_zip: '90404', to_state: 'CA', to_city: 'Santa Monica' };
  const order = { ...to, transaction_date: '2026-10-15', amount: 65, shipping: 5, sales_tax: 6, line_items };
  let created = 0;
  let shown = 0;
  await measure('calculations', 200, () => ask('POST', 'taxes', { ...to, shipping: 5, line_items }));
  await measure('creates', 201, () => {
    created += 1;
    return ask('POST', 'transactions/orders', { ...order, transaction_id: idOf(created) });
  });
  await measure('shows', 200, () => {
    shown += 1;
    return ask('GET', `transactions/orders/${idOf(1 + (shown % created))}`);
  });
  const start = performance.now();
  await ask('GET', 'transactions/orders?from_transaction_date=2026-10-01&to_transaction_date=2026-10-31');
  print(`listing of ${created} ids: ${(performance.now() - start).toFixed(0)} ms`);
  agent.destroy();
};

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
const [address = `sqlite:${join(folder, 'ledger.db')}`, role] = process.argv.slice(2);
if (role === 'server') await serve(address);
else {
  const server = fork(import.meta.filename, [address, 'server']);
  const [served] = (await once(server, 'message')) as [Served];
  await load(served);
  server.disconnect();
  await once(server, 'exit');
}
rmSync(folder, { recursive: true, force: true });
