import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CONTENT_FOLDER } from '../../src/content/load-content.ts';
import { onPostgres } from '../support/databases.ts';
import { month, type Settings } from '../support/month.ts';
import { filesOf } from '../support/tieout.ts';
import { closeIn, startWorker } from '../support/workers-here.ts';

const COUNT = 45;
/** A third ask the same, the others do not, one in seventeen was charged wrongly, and the first two came back. */
const ORDERS = Array.from({ length: COUNT }, (_, index) => ({
  name: `#${1001 + index}`,
  ...(3 * index >= COUNT && { price: `${4 * index}.00`, tax: (0.43 * index).toFixed(2) }),
  ...(index % 17 === 5 && { tax: '9.99' }),
  ...(index < 2 && { refundedOn: '2026-10-12' }),
}));

/** The folder of a shop with these orders of one day. */
const shopIn = async (settings: Settings = {}): Promise<string> =>
  (await month({ orders: ORDERS, settings })).folder;

describe('a close by workers', () => {
  it('wants databases that every worker can reach', async () => {
    await expect(closeIn(await shopIn(), {})).rejects.toMatchObject({
      code: 'E_WORKERS_DATABASE',
      message: expect.stringContaining('`databases.queue`'),
    });
    const half = await shopIn({ databases: { queue: 'postgres://no one@localhost/none' } });
    await expect(closeIn(half, {})).rejects.toMatchObject({
      message: expect.stringContaining('`databases.ledger`'),
    });
    await expect(startWorker(half)).rejects.toMatchObject({ code: 'E_WORKERS_DATABASE' });
  });

  onPostgres(({ newUrl }) => {
    const newDatabases = async () => ({ databases: { ledger: await newUrl(), queue: await newUrl() } });
    const sharedShop = async () => shopIn(await newDatabases());

    it('writes the same bytes as one by itself, and asks and sends the same, also where batches are done twice', async () => {
      const alone = await shopIn();
      const shared = await sharedShop();
      const plain = await closeIn(alone);
      const isForgetful = true;
      const workers = [
        await startWorker(shared, { isForgetful }),
        await startWorker(shared, { isForgetful }),
      ];
      const closed = await closeIn(shared, {});
      for (const worker of workers) {
        await worker.stop();
        expect(await worker.ended).toBeUndefined();
      }

      expect(await filesOf(join(shared, 'out'))).toEqual(await filesOf(join(alone, 'out')));
      // The embedded service bills nothing: two workers may ask it the same.
      expect({ ...closed.recomputed, asked: 0 }).toEqual({ ...plain.recomputed, asked: 0 });
      expect(closed.submitted).toEqual(plain.submitted);
      expect(closed.readBack).toEqual(plain.readBack);
      const batches = workers.flatMap(({ done }) => done);
      expect(batches.length).toBeGreaterThan(4);
    });

    it('does not wait for ever for a worker', async () => {
      const folder = await sharedShop();
      await expect(closeIn(folder, { patienceSeconds: 0 })).rejects.toMatchObject({
        code: 'E_WORKERS_ABSENT',
        recovery: 'retry',
      });
      // Nothing was left on the queue: a worker that comes too late has nothing to do.
      const late = await startWorker(folder);
      await late.stop();
      expect(late.done).toEqual([]);
    });

    it('goes on where it was stopped, with no batch left over', async () => {
      const folder = await sharedShop();
      let batches = 0;
      const worker = await startWorker(folder, {
        onBatch: () => {
          batches += 1;
        },
      });
      const stopping = { isAsked: () => batches >= 2 };
      await expect(closeIn(folder, {}, stopping)).rejects.toMatchObject({ code: 'E_STOPPED' });
      const closed = await closeIn(folder, {});
      await worker.stop();
      const { created, unchanged } = closed.submitted;
      expect(created + unchanged).toBe(47);
      expect(unchanged).toBeGreaterThan(0);
    });

    it('is not helped by a worker with another program, configuration or tax content, which says so and ends', async () => {
      const databases = await newDatabases();
      const folder = await shopIn(databases);
      const stricter = await shopIn({ ...databases, policy: { unexplained: '1.00' } });
      const closing = closeIn(folder, {});
      const newer = await startWorker(folder, { version: '1' });
      const other = await startWorker(stricter);
      const content = join(folder, 'content');
      await cp(DEFAULT_CONTENT_FOLDER, content, { recursive: true });
      await writeFile(join(content, 'more.txt'), 'more');
      const elsewhere = await startWorker(folder, { content });
      for (const { ended } of [newer, other, elsewhere])
        expect(await ended).toMatch(/^it is Tieout .+, and the close is Tieout 0 /);
      const worker = await startWorker(folder);
      expect((await closing).submitted).toMatchObject({ created: 47 });
      await worker.stop();
    });

    it('leaves workers of another entity to that one, in the same database', async () => {
      const databases = await newDatabases();
      const shop = await shopIn(databases);
      const outlet = await shopIn({ ...databases, entity: 'outlet' });
      const workers = [await startWorker(shop), await startWorker(outlet)];
      expect((await closeIn(shop, {})).submitted).toMatchObject({ created: 47 });
      expect(workers.map(({ done }) => done.length > 0)).toEqual([true, false]);
      expect((await closeIn(outlet, {})).submitted).toMatchObject({ created: 47 });
      expect(workers.map(({ done }) => done.length > 0)).toEqual([true, true]);
      for (const worker of workers) expect(await worker.stop()).toBeUndefined();
    });

    it('tells what a worker met with, as if it had met with it itself', async () => {
      const folder = await sharedShop();
      const worker = await startWorker(folder, {
        onBatch: () => {
          throw new Error('an idea that did not work');
        },
      });
      await expect(closeIn(folder, {})).rejects.toMatchObject({
        code: 'E_DEFECT',
        message: expect.stringMatching(/an idea that did not work \(worker \d+ on /),
      });
      await worker.stop();
    });
  });
});
