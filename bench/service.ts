import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Asked, type Connection, openConnection } from './http-load.ts';
import { figure, print, serve } from './served.ts';

/**
 * `node bench/service.ts [database address] [options of serve …]`: requests per second of `tieout serve` over HTTP, the load
 * beside it on the same machine, then calculations at 80 % of their peak. Without an address, or with `-`, it serves a
 * SQLite file in a temporary folder. `npm run bench:service -- - --processes 2` is the same with two processes.
 */
const CONCURRENCY = 32;
const SECONDS = 5;
const ORDERS = 100_000;

const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
const [given = '-', ...options] = process.argv.slice(2);
const address = given === '-' ? `sqlite:${join(folder, 'ledger.db')}` : given;
const served = await serve(address, 'bench', options);
const connections = await Promise.all(
  Array.from({ length: CONCURRENCY }, () => openConnection(served.url, served.key)),
);

/** Ask until `isDone`, on every connection one request after the other, so many a second if that is said. Answers how many it were. */
const measure = async (
  name: string,
  status: number,
  next: () => Asked,
  isDone: (asked: number, seconds: number) => boolean,
  perSecond?: number,
): Promise<number> => {
  const latencies: number[] = [];
  let refused = 0;
  let asked = 0;
  const cpuBefore = await figure(served, 'process_cpu_seconds_total');
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1_000;
  const worker = async ({ ask }: Connection) => {
    for (let turn = 0; !isDone(asked, seconds()); turn += 1) {
      if (perSecond !== undefined) {
        const early = (turn * CONCURRENCY * 1_000) / perSecond - (performance.now() - start);
        if (early > 0) await pause(early);
      }
      asked += 1;
      const answer = await ask(next());
      if (answer.status !== status) refused += 1;
      latencies.push(answer.milliseconds);
    }
  };
  await Promise.all(connections.map(worker));
  const took = seconds();
  const cpu = (await figure(served, 'process_cpu_seconds_total')) - cpuBefore;
  latencies.sort((left, right) => left - right);
  const within = (share: number) => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(1);
  print(
    `${name}: ${Math.round(asked / took)} per second, half within ${within(0.5)} ms, 99 % within ${within(0.99)} ms, ` +
      `${refused} not ${status}, ${Math.round((cpu / asked) * 1e6)} µs of the server's processor each`,
  );
  return asked / took;
};

const run = Date.now();
const idOf = (count: number) => `${run}-${count}`;
const line_items = [10, 20, 30].map((unit_price) => ({ quantity: 1, unit_price, product_tax_code: '20010' }));
const to = { to_country: 'US', to_zip: '90404', to_state: 'CA', to_city: 'Santa Monica' };
const order = { ...to, transaction_date: '2026-10-15', amount: 65, shipping: 5, sales_tax: 6, line_items };
const isOver = (_: number, seconds: number) => seconds >= SECONDS;
let count = 0;

print(`load of the machine before: ${loadavg()[0]?.toFixed(2)}`);
const sale = { method: 'POST', path: 'taxes', body: { ...to, shipping: 5, line_items } };
await measure('warming up', 200, () => sale, isOver);
const peak = await measure('calculations of three lines', 200, () => sale, isOver);
await measure('calculations at 80 % of that', 200, () => sale, isOver, 0.8 * peak);
await measure(
  'durable creates of three lines',
  201,
  () => {
    count += 1;
    const body = { ...order, transaction_id: idOf(count) };
    return { method: 'POST', path: 'transactions/orders', body };
  },
  (asked) => asked >= ORDERS,
);
await measure(
  'shows',
  200,
  () => {
    count = 1 + (count % ORDERS);
    return { method: 'GET', path: `transactions/orders/${idOf(count)}` };
  },
  isOver,
);
const october = 'transactions/orders?from_transaction_date=2026-10-01&to_transaction_date=2026-10-31';
for (const attempt of ['first', 'second', 'third']) {
  const listed = await connections[0]?.ask({ method: 'GET', path: october });
  const ids = (JSON.parse(listed?.text ?? '{}') as { orders: string[] }).orders.length;
  print(`${attempt} listing of ${ids} ids of a month: ${listed?.milliseconds.toFixed(0)} ms`);
}
print(`load of the machine after: ${loadavg()[0]?.toFixed(2)}`);

for (const { end } of connections) end();
served.child.kill('SIGTERM');
await once(served.child, 'exit');
rmSync(folder, { recursive: true, force: true });
