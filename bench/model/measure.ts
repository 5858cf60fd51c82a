import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benchOnPostgres } from '../close-by-workers.ts';
import { print } from '../served.ts';
import { keepClose } from './measured.ts';

/**
 * `npm run bench:measure [-- --orders 100000,300000 --workers 0,1,2 --latency embedded]`: close months of each size on PostgreSQL by
 * so many workers, with the embedded service or one that takes so many milliseconds for each call, and keep what each stage
 * cost for the model.
 */
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '100000,300000' },
    workers: { type: 'string', default: '0,1,2' },
    latency: { type: 'string', default: 'embedded' },
  },
});
const CONCURRENCY = 64;
const latencies = values.latency.split(',').map((text) => (text === 'embedded' ? null : Number(text)));
const numbers = (list: string): readonly number[] => list.split(',').map(Number);

const bench = await benchOnPostgres();
for (const orders of numbers(values.orders))
  for (const latencyMs of latencies)
    for (const workers of numbers(values.workers)) {
      const load = loadavg()[0]?.toFixed(1) ?? '';
      const measured = await bench.close({ orders, workers, latencyMs, concurrency: CONCURRENCY });
      const stages = measured.stages.map((stage) =>
        Object.fromEntries(
          Object.entries(stage).map(([name, value]) => [
            name,
            typeof value === 'number' ? Number(value.toFixed(2)) : value,
          ]),
        ),
      ) as unknown as typeof measured.stages;
      const day = new Date().toISOString().slice(0, 10);
      const machine = `${cpus().length} cores of ${cpus()[0]?.model ?? 'unknown'}`;
      keepClose({ ...measured, stages, day, machine, load });
      const walls = stages.map(({ stage, wall }) => `${stage} ${wall}`).join(', ');
      print(
        `${orders} orders, ${latencyMs ?? 'embedded'} ms, ${workers} workers: ${walls}; peak ${measured.peakMb} MB, load ${load}`,
      );
    }
await bench.stop();
