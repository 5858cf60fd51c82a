import { loadavg } from 'node:os';
import { benchOnPostgres } from './close-by-workers.ts';
import { print } from './served.ts';

/**
 * `npm run bench:workers [orders] [milliseconds] [concurrency]`: a month against a service that takes so long for each
 * call, by one, two and four workers in processes of their own, each with so many calls at once. The time is that of
 * the whole close.
 */
const [orders = 4_000, latencyMs = 50, concurrency = 16] = process.argv.slice(2).map(Number);

const bench = await benchOnPostgres();
print(`${orders} orders, ${latencyMs} ms a call, ${concurrency} calls at once for each worker`);
let one: number | undefined;
for (const workers of [1, 2, 4]) {
  const { stages } = await bench.close({ orders, workers, latencyMs, concurrency });
  const total = stages.reduce((sum, { wall }) => sum + wall, 0);
  one ??= total;
  const each = stages.map(({ stage, wall }) => `${stage} ${wall.toFixed(1)}`).join(', ');
  print(
    `${workers} workers: ${total.toFixed(1)} s (${each}), ${(one / total).toFixed(2)} times one worker, load ${loadavg()[0]?.toFixed(1)}`,
  );
}
await bench.stop();
