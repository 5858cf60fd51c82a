import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, openConnection } from './http-load.ts';
import { figure, print, serve } from './served.ts';

/**
 * `npm run bench:overload [open connections] [options of serve …]`: what idle connections cost, and what becomes of
 * calculations when ever more connections ask for one after the other. A refused connection waits a tenth of a second.
 */
const [opened = '10000', ...more] = process.argv.slice(2);
const SECONDS = 5;
const ACTIVE = [8, 32, 128, 512, 2_000];
const PAUSE_MS = 100;
const OPENED_TOGETHER = 200;

const folder = mkdtempSync(join(tmpdir(), 'tieout-overload-'));
const served = await serve(`sqlite:${join(folder, 'ledger.db')}`, 'bench', more);
const megabytes = async () => Math.round((await figure(served, 'process_resident_memory_bytes')) / 1_048_576);

const before = await megabytes();
const connections: Connection[] = [];
while (connections.length < Number(opened)) {
  const together = Math.min(OPENED_TOGETHER, Number(opened) - connections.length);
  const some = Array.from({ length: together }, () => openConnection(served.url, served.key));
  connections.push(...(await Promise.all(some)));
}
const categories = { method: 'GET', path: 'categories' };
for (let from = 0; from < connections.length; from += OPENED_TOGETHER)
  await Promise.all(connections.slice(from, from + OPENED_TOGETHER).map(({ ask }) => ask(categories)));
print(
  `${connections.length} open connections, each used once: ${await megabytes()} MB, before ${before} MB; load ${loadavg()[0]?.toFixed(2)}`,
);

const line_items = [10, 20, 30].map((unit_price) => ({ quantity: 1, unit_price, product_tax_code: '20010' }));
const sale = { to_country: 'US', to_zip: '90404', to_state: 'CA', shipping: 5, line_items };
const calculation = { method: 'POST', path: 'taxes', body: sale };

/** The share of sorted latencies that is answered within so much, in milliseconds. */
const within = (latencies: readonly number[], share: number): string =>
  (latencies[Math.floor(latencies.length * share)] ?? Number.NaN).toFixed(1);

const measure = async (active: number): Promise<void> => {
  const taken: number[] = [];
  const refused: number[] = [];
  const end = performance.now() + SECONDS * 1_000;
  await Promise.all(
    connections.slice(0, active).map(async ({ ask }) => {
      while (performance.now() < end) {
        const { status, milliseconds } = await ask(calculation);
        (status === 200 ? taken : refused).push(milliseconds);
        if (status !== 200) await pause(PAUSE_MS);
      }
    }),
  );
  for (const latencies of [taken, refused]) latencies.sort((left, right) => left - right);
  print(
    `${active} ask: ${Math.round(taken.length / SECONDS)} per second, half within ${within(taken, 0.5)} ms, 99 % within ` +
      `${within(taken, 0.99)} ms; ${Math.round(refused.length / SECONDS)} refused, 99 % within ${within(refused, 0.99)} ms`,
  );
};

for (const active of ACTIVE) await measure(active);

for (const { end } of connections) end();
served.child.kill('SIGTERM');
await once(served.child, 'exit');
rmSync(folder, { recursive: true, force: true });
