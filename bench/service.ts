import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Asked, type Connection, openConnection } from './http-load.ts';
import { line_items, to } from './mixed-load.ts';
import { openLoad } from './open-load.ts';
import { figure, print, serve } from './served.ts';
import { machine } from './tell.ts';

/**
 * `node bench/service.ts [database address] [seconds] [options of serve …]`: calculations, creates and shows of `tieout serve`
 * over HTTP, the load beside it on the same machine. Of each the peak, on so many connections one request after the other, and
 * then how long answers take at 80 and at 50 % of it, where callers do not wait for one another. Without an address, or with `-`, it
 * serves a SQLite file in a temporary folder. `npm run bench:service -- - 5 --processes 2` is the same with two processes.
 */
const CONNECTIONS = 32;
/** More, so that a moment in which the server pauses keeps no caller from asking. */
const CALLERS = 128;
const SHARES_OF_PEAK = [0.8, 0.5];

const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
const [given = '-', seconds = '5', ...options] = process.argv.slice(2);
const SECONDS = Number(seconds);
const address = given === '-' ? `sqlite:${join(folder, 'ledger.db')}` : given;
const served = await serve(address, 'bench', options);
const connections = await Promise.all(
  Array.from({ length: CALLERS }, () => openConnection(served.url, served.key)),
);

type Measured = { readonly name: string; readonly status: number; readonly next: () => Asked };

/** Runs a load, and tells how many a second were answered, how soon, and at what cost. */
const told = async (
  name: string,
  load: () => Promise<{ readonly milliseconds: readonly number[]; readonly refused: number }>,
): Promise<number> => {
  const cpuBefore = await figure(served, 'process_cpu_seconds_total');
  const start = performance.now();
  const { milliseconds, refused } = await load();
  const perSecond = (1_000 * milliseconds.length) / (performance.now() - start);
  const cpu = (await figure(served, 'process_cpu_seconds_total')) - cpuBefore;
  const within = (share: number) =>
    (milliseconds[Math.floor(milliseconds.length * share)] ?? Number.NaN).toFixed(1);
  const figures = [
    `${Math.round(perSecond)} per second`,
    `half within ${within(0.5)} ms`,
    `99 % within ${within(0.99)} ms`,
    `the slowest ${milliseconds.at(-1)?.toFixed(1)} ms`,
    `${refused} refused`,
    `${Math.round((cpu / milliseconds.length) * 1e6)} µs of the server's processor each`,
  ];
  print(`${name}: ${figures.join(', ')}`);
  return perSecond;
};

/** The peak, and what answers take at shares of it. */
const measure = async ({ name, status, next }: Measured): Promise<void> => {
  const peak = await told(`${name}, peak`, async () => {
    const milliseconds: number[] = [];
    let refused = 0;
    const end = performance.now() + SECONDS * 1_000;
    const worker = async ({ ask }: Connection) => {
      while (performance.now() < end) {
        const answer = await ask(next());
        if (answer.status !== status) refused += 1;
        milliseconds.push(answer.milliseconds);
      }
    };
    await Promise.all(connections.slice(0, CONNECTIONS).map(worker));
    return { milliseconds: milliseconds.sort((left, right) => left - right), refused };
  });
  for (const share of SHARES_OF_PEAK)
    await told(`${name}, ${100 * share} % of that`, () =>
      openLoad(connections, { perSecond: share * peak, seconds: SECONDS, status }, next),
    );
};

const run = Date.now();
const idOf = (count: number) => `${run}-${count}`;
const order = {
  ...to,
  transaction_date: '2026-10-15',
  amount: 65,
  shipping: 5,
  sales_tax: 6,
  line_items,
};
let created = 0;
let shown = 0;

print(machine());
const sale = { method: 'POST', path: 'taxes', body: { ...to, shipping: 5, line_items } };
await measure({ name: 'warming up', status: 200, next: () => sale });
await measure({ name: 'calculations of three lines', status: 200, next: () => sale });
await measure({
  name: 'durable creates of three lines',
  status: 201,
  next: () => {
    created += 1;
    const body = { ...order, transaction_id: idOf(created) };
    return { method: 'POST', path: 'transactions/orders', body };
  },
});
await measure({
  name: 'shows',
  status: 200,
  next: () => {
    shown = 1 + (shown % created);
    return { method: 'GET', path: `transactions/orders/${idOf(shown)}` };
  },
});
const october = 'transactions/orders?from_transaction_date=2026-10-01&to_transaction_date=2026-10-31';
for (const attempt of ['first', 'second', 'third']) {
  const listed = await connections[0]?.ask({ method: 'GET', path: october });
  const ids = (JSON.parse(listed?.text ?? '{}') as { orders: string[] }).orders.length;
  print(`${attempt} listing of ${ids} ids of a month: ${listed?.milliseconds.toFixed(0)} ms`);
}
print(machine());

for (const { end } of connections) end();
served.child.kill('SIGTERM');
await once(served.child, 'exit');
rmSync(folder, { recursive: true, force: true });
