import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, openConnection } from './http-load.ts';
import { figure, print, type Served, serve } from './served.ts';

/**
 * `node bench/soak-service.ts [minutes] [requests per second] [database address]`: mixed load on `tieout serve`, then
 * kill -9 in the middle of it, a restart, and every acknowledged write is looked for. Ends with 1 when one is missing,
 * when a request failed, or when memory grew by more than a fifth after the first quarter.
 */
const [minutes = 10, perSecond = 1_500] = process.argv.slice(2, 4).map(Number);
const CONCURRENCY = 16;
const SAMPLE_EVERY_MS = 10_000;
const SHOWN_MAX = 5_000;
const GROWTH_MAX = 1.2;

const folder = mkdtempSync(join(tmpdir(), 'tieout-soak-'));
const address = process.argv[4] ?? `sqlite:${join(folder, 'ledger.db')}`;

/** The cents of sales tax that were last acknowledged for an order, by its number; `null` when it was deleted. */
const acknowledged: (number | null | undefined)[] = [];
/** Orders with a write whose answer never came: either state is right. */
const uncertain = new Set<number>();
const busy = new Set<number>();
const to = { to_country: 'US', to_zip: '90404', to_state: 'CA', to_city: 'Santa Monica' };
const line_items = [10, 20, 30].map((unit_price) => ({ quantity: 1, unit_price, product_tax_code: '20010' }));
const idOf = (number: number) => `soak-${number}`;
const orderOf = (number: number) => ({
  ...to,
  transaction_id: idOf(number),
  transaction_date: `2026-10-${String(1 + (number % 31)).padStart(2, '0')}`,
  amount: 65,
  shipping: 5,
  sales_tax: 6,
  line_items,
});
const problems = new Map<string, number>();
const answered = new Map<string, number>();
let created = 0;
let isOver = false;

const recall = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

type Call = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly status: number;
  /** Which order it writes, and the state after that. */
  readonly write?: { readonly number: number; readonly state: number | null };
};

/** An order that exists and that nobody is writing at the moment. */
const someOrder = (): number | undefined => {
  const number = Math.floor(Math.random() * acknowledged.length);
  return typeof acknowledged[number] === 'number' && !busy.has(number) ? number : undefined;
};

const nextCall = (): Call => {
  const dice = Math.random();
  const number = dice < 0.5 ? undefined : someOrder();
  if (dice < 0.4) {
    const body = { ...to, shipping: 5, line_items, amount: 60 };
    return { name: 'calculate', method: 'POST', path: 'taxes', body, status: 200 };
  }
  if (dice < 0.45) return { name: 'rates', method: 'GET', path: 'rates/90404', status: 200 };
  if (dice < 0.47) return { name: 'categories', method: 'GET', path: 'categories', status: 200 };
  if (dice < 0.472) {
    const path = 'transactions/orders?transaction_date=2026-10-15';
    return { name: 'list', method: 'GET', path, status: 200 };
  }
  if (number === undefined || dice < 0.75) {
    const fresh = created;
    created += 1;
    const write = { number: fresh, state: 600 };
    const body = orderOf(fresh);
    return { name: 'create', method: 'POST', path: 'transactions/orders', body, status: 201, write };
  }
  const path = `transactions/orders/${idOf(number)}`;
  if (dice < 0.9) return { name: 'show', method: 'GET', path, status: 200 };
  if (dice < 0.98) {
    const state = Math.floor(Math.random() * 5_000);
    const write = { number, state };
    return { name: 'update', method: 'PUT', path, body: { sales_tax: state / 100 }, status: 200, write };
  }
  return { name: 'delete', method: 'DELETE', path, status: 200, write: { number, state: null } };
};

const worker = async ({ ask }: Connection): Promise<void> => {
  while (!isOver) {
    const { name, write, status, ...asked } = nextCall();
    if (write) busy.add(write.number);
    try {
      const answer = await ask(asked);
      recall(answered, name);
      if (answer.status !== status) recall(problems, `${name} answered ${answer.status}`);
      else if (write) acknowledged[write.number] = write.state;
    } catch {
      if (write) uncertain.add(write.number);
      if (!isOver) recall(problems, `${name} was not answered`);
    }
    if (write) busy.delete(write.number);
    await pause((CONCURRENCY * 1_000 * Math.random() * 2) / perSecond);
  }
};

const megabytes = async (served: Served): Promise<number> =>
  Math.round((await figure(served, 'process_resident_memory_bytes')) / 1_048_576);

const mean = (values: readonly number[]): number =>
  Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);

/** Look for every acknowledged write after the restart; how many are missing or different. */
const lostWrites = async (served: Served): Promise<number> => {
  const { ask, end } = await openConnection(served.url, served.key);
  const { text } = await ask({ method: 'GET', path: 'transactions/orders' });
  const kept = new Set((JSON.parse(text) as { orders: string[] }).orders);
  let lost = 0;
  const certain = [...acknowledged.entries()].filter(([number]) => !uncertain.has(number));
  for (const [number, state] of certain) {
    if (state !== undefined && kept.has(idOf(number)) !== (state !== null)) lost += 1;
  }
  // The content of those that were written last, which a crash would take first.
  const changed = certain.filter(([, state]) => typeof state === 'number').slice(-SHOWN_MAX);
  for (const [number, state] of changed) {
    const shown = await ask({ method: 'GET', path: `transactions/orders/${idOf(number)}` });
    const { order } = JSON.parse(shown.text) as { order?: { sales_tax: string } };
    if (Math.round(Number(order?.sales_tax) * 100) !== state) lost += 1;
  }
  end();
  print(`after kill -9: ${certain.length} orders looked for, ${changed.length} of them read; ${lost} wrong`);
  return lost;
};

const served = await serve(address);
print(`${minutes} minutes at ${perSecond} requests a second; load before: ${loadavg()[0]?.toFixed(2)}`);
const connections = await Promise.all(
  Array.from({ length: CONCURRENCY }, () => openConnection(served.url, served.key)),
);
const workers = connections.map(worker);
const memory: number[] = [];
const end = performance.now() + minutes * 60_000;
while (performance.now() < end) {
  await pause(Math.min(SAMPLE_EVERY_MS, Math.max(0, end - performance.now())));
  memory.push(await megabytes(served));
}
isOver = true;
served.child.kill('SIGKILL');
await once(served.child, 'exit');
await Promise.all(workers);

const quarter = Math.max(1, Math.floor(memory.length / 4));
const [early, late] = [mean(memory.slice(quarter, 2 * quarter)), mean(memory.slice(-quarter))];
print(
  `answered: ${JSON.stringify(Object.fromEntries(answered))}; problems: ${JSON.stringify(Object.fromEntries(problems))}`,
);
print(`resident memory in MB, every 10 s: ${memory.join(' ')}`);
print(`second quarter ${early} MB, last quarter ${late} MB; load after: ${loadavg()[0]?.toFixed(2)}`);
const again = await serve(address);
const lost = await lostWrites(again);
again.child.kill('SIGTERM');
await once(again.child, 'exit');
rmSync(folder, { recursive: true, force: true });
process.exitCode = lost > 0 || problems.size > 0 || late > early * GROWTH_MAX ? 1 : 0;
