import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { faultyService } from '../support/faulty-service.ts';
import { month } from '../support/month.ts';
import { servedLedger } from '../support/served-ledger.ts';
import type { Order } from '../support/shop-exports.ts';
import { codeOf, type RunOptions, temporaryFolder, type tieout } from '../support/tieout.ts';

const ORDERS = 60;
const CONCURRENCY = 6;

/** Sixty orders of sixty amounts, three of them paid back. */
const SOLD = Array.from({ length: ORDERS }, (_, index): Order => {
  const tax = (Math.round((100 + index) * 10.75) / 100).toFixed(2);
  const back = index < 3 ? { refundedOn: '2026-10-20' } : {};
  return { name: `#${index + 1}`, price: `${100 + index}.00`, tax, ...back };
});

const remoteMonth = async (seed: number) => {
  const served = await servedLedger(await temporaryFolder(), ['CA']);
  const faulty = await faultyService(served.url, { seed, share: 0.2 });
  const shop = await month({
    orders: SOLD,
    settings: { service: { url: faulty.url, timeoutSeconds: 1, concurrency: CONCURRENCY } },
  });
  const close = (options: RunOptions = {}) =>
    shop.runWith({ ...options, env: { TIEOUT_SERVICE_KEY: served.key } }, 'close', '2026-10', '--json');
  return { faulty, close, records: () => recordsIn(served.path) };
};

/** What the service holds: kind, id and tax of each record. */
const recordsIn = (path: string): readonly string[] => {
  const ledger = new DatabaseSync(path, { readOnly: true });
  const rows = ledger.prepare('select kind, transaction_id, sales_tax from transactions order by 1, 2').all();
  ledger.close();
  return rows.map((row) => `${row['kind']} ${row['transaction_id']} ${row['sales_tax']}`);
};

/** Close again until the close ends by itself: every end before that must be one that says so and can be resumed. */
const closeUntilDone = async (close: () => ReturnType<typeof tieout>) => {
  for (let run = 1; run <= 5; run += 1) {
    const ran = await close();
    if (ran.code === 0) return ran;
    expect([ran.code, codeOf(ran.stderr)]).toEqual([69, 'E_SERVICE_UNAVAILABLE']);
  }
  throw new Error('the close did not end in five runs');
};

const deliveredTwice = ({ delivered }: Awaited<ReturnType<typeof faultyService>>): number =>
  [...delivered.values()].reduce((total, times) => total + times - 1, 0);

const expected = (): readonly string[] =>
  SOLD.flatMap(({ name, tax = '' }, index) => {
    const id = name.slice(1);
    const units = Math.round(Number(tax) * 10_000);
    return index < 3 ? [`order ${id} ${units}`, `refund ${id} ${-units}`] : [`order ${id} ${units}`];
  }).sort();

/** The id of a refund is the service's business with the export; the order it belongs to is what counts here. */
const withOrderIds = (records: readonly string[]): readonly string[] =>
  records.map((record) => record.replace(/^refund (\d+)\S*/, 'refund $1')).sort();

describe('a service that harms every fifth call', () => {
  test.for([1, 2])('ends up with exactly the right records, each answer paid once: seed %i', async (seed) => {
    const { faulty, close, records } = await remoteMonth(seed);
    await closeUntilDone(close);
    expect(withOrderIds(records())).toEqual(expected());
    expect(deliveredTwice(faulty)).toBe(0);
    expect(faulty.delivered.size).toBe(ORDERS);
    expect(faulty.faults.size).toBeGreaterThan(3);

    const before = faulty.calculated();
    faulty.repair();
    const again = await close();
    expect(JSON.parse(again.stdout)).toMatchObject({
      exit_code: 0,
      calculations: { asked: 0 },
      submissions: { created: 0, updated: 0, unchanged: ORDERS + 3 },
    });
    expect(faulty.calculated()).toBe(before);
  });

  // Calls before the kill: in the middle of the calculations, of the submissions, and of the reading.
  test.for([
    [4, 40],
    [5, 110],
    [6, 190],
  ] as const)('and when it is killed besides: seed %i, after %i calls', async ([seed, calls]) => {
    const { faulty, close, records } = await remoteMonth(seed);
    const killed = await close({ killOn: faulty.reached(calls) });
    expect(killed.signal).toBe('SIGKILL');
    await closeUntilDone(close);
    expect(withOrderIds(records())).toEqual(expected());
    // In flight, and waiting to be written: the promise of the cache.
    expect(deliveredTwice(faulty)).toBeLessThanOrEqual(2 * CONCURRENCY);
  });
});
