import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { onPostgres } from '../support/databases.ts';
import { faultyService } from '../support/faulty-service.ts';
import { month } from '../support/month.ts';
import { servedLedger } from '../support/served-ledger.ts';
import { codeOf, temporaryFolder } from '../support/tieout.ts';

const START = fileURLToPath(new URL('../../dist/tieout.js', import.meta.url));
const ORDERS = 120;
const CONCURRENCY = 4;
/** A dozen processes are started, and two losses are noticed after fifteen seconds each. */
const SECONDS_MAX = 240;

/** Ten orders a day, which are a batch. */
const orders = Array.from({ length: ORDERS }, (_, index) => ({
  at: `2026-10-${10 + Math.floor(index / 10)}`,
  name: `#${1001 + index}`,
  price: `${4 * (index + 5)}.00`,
  tax: (0.43 * (index + 5)).toFixed(2),
}));

onPostgres(({ newUrl }) => {
  it(
    'a close by workers that are killed or suspended asks, sends and writes what one by itself does',
    async () => {
      const ledger = await servedLedger(await temporaryFolder(), ['CA']);
      const service = await faultyService(ledger.url, { seed: 1, share: 0 });
      const settings = {
        databases: { queue: await newUrl() },
        service: { url: service.url, concurrency: CONCURRENCY, asOf: 'honoured' },
      };
      const shop = await month({ orders, settings });
      const env = { TIEOUT_SERVICE_KEY: ledger.key };

      const startWorker = (): ChildProcess => {
        const options = { stdio: 'ignore' as const, env: { ...process.env, ...env } };
        const worker = spawn(process.execPath, [START, 'worker', '--config', shop.config], options);
        onTestFinished(() => void worker.kill('SIGKILL'));
        return worker;
      };
      const firstTwo = [startWorker(), startWorker()];
      const close = (...how: string[]) => shop.runWith({ env }, 'close', '2026-10', ...how);
      const closing = close('--workers', 'queue');

      // Anyone who makes the call is in the middle of a batch, and so is, most likely, the other one.
      await service.reached(ORDERS);
      for (const worker of firstTwo) worker.kill('SIGKILL');
      const nextFour = [startWorker(), startWorker(), startWorker(), startWorker()];
      await service.reached(ORDERS + 100);
      // This one is suspended, and wakes up when others have done its work.
      nextFour[0]?.kill('SIGSTOP');

      const closed = await closing;
      // A worker that was suspended while it started goes on with its start.
      const worked = () => service.calls() - service.starts();
      const calls = worked();
      const codes = nextFour.map(async (worker) => (await once(worker, 'exit'))[0] as number | null);
      for (const worker of nextFour) worker.kill('SIGTERM');
      nextFour[0]?.kill('SIGCONT');
      expect(await Promise.all(codes)).toEqual([0, 0, 0, 0]);
      // The suspended one may have been about to send what it had asked leave for: a call on each connection.
      expect(worked()).toBeLessThanOrEqual(calls + CONCURRENCY);
      expect([closed.code, codeOf(closed.stderr)]).toEqual([0, undefined]);
      expect(closed.stdout).toContain(`read back: ${ORDERS} records read back`);
      expect(closed.stdout).toContain(`reconcile: ${ORDERS} tied out`);

      // The close asks, and its workers record.
      expect(service.calculated()).toBe(ORDERS);
      const held = await connect(`sqlite:${ledger.path}`);
      const rows = await held
        .tables<{ transactions: { transaction_id: string; revision: number } }>()
        .selectFrom('transactions')
        .select(['transaction_id', 'revision'])
        .execute();
      await held.close();
      expect(rows).toHaveLength(ORDERS);
      // A first revision is a multiple of a thousand, and each change adds one.
      expect(rows.every(({ revision }) => revision % 1_000 === 0)).toBe(true);

      const alone = await close();
      expect(alone.stdout).toContain(`recompute: 0 sales calculated (0 calculations), ${ORDERS} known`);
      expect(alone.stdout).toContain(`submit: 0 created, 0 updated, ${ORDERS} unchanged`);
      expect(alone.stdout).toContain('files in the folder, unchanged');
    },
    SECONDS_MAX * 1000,
  );
});
