import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { neverStopping } from '../../src/runtime/stopping.ts';
import { DEFAULT_CONTENT_FOLDER } from '../../src/service/content/load-content.ts';
import { onPostgres } from '../support/databases.ts';
import { shopReadInParts } from '../support/shop-read-in-parts.ts';
import { filesOf } from '../support/tieout.ts';
import { variedShop } from '../support/varied-shop.ts';
import { closeIn, startWorker } from '../support/workers-here.ts';

const shopIn = async (databases = '', entity = 'shop'): Promise<string> => {
  const folder = await variedShop({ count: 45, settings: databases });
  const config = join(folder, 'tieout.yaml');
  await writeFile(config, (await readFile(config, 'utf8')).replace('entity: shop', `entity: ${entity}`));
  return folder;
};

describe('a close by workers', () => {
  it('wants databases that every worker can reach', async () => {
    await expect(closeIn(await shopIn(), {})).rejects.toMatchObject({
      code: 'E_WORKERS_DATABASE',
      message: expect.stringContaining('`databases.workspace`'),
    });
    const half = await shopIn('databases: { workspace: "postgres://no one@localhost/none" }\n');
    await expect(closeIn(half, {})).rejects.toMatchObject({
      message: expect.stringContaining('`databases.ledger`'),
    });
    await expect(startWorker(half)).rejects.toMatchObject({ code: 'E_WORKERS_DATABASE' });
  });

  onPostgres(({ newUrl }) => {
    const sharedShop = async () =>
      shopIn(`databases: { ledger: "${await newUrl()}", workspace: "${await newUrl()}" }\n`);

    it('writes the same bytes as one by itself, and asks and sends the same, also where batches are done twice', async () => {
      const alone = await shopIn();
      const shared = await sharedShop();
      const plain = await closeIn(alone);
      const workers = [await startWorker(shared), await startWorker(shared, { isForgetful: true })];
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
      expect(new Set(batches)).toEqual(new Set(['recompute', 'submit', 'read-back', 'reconcile']));
      expect(batches.length).toBeGreaterThanOrEqual(8);
    });

    it('has workers read a large export in parts, and writes the same bytes', async () => {
      const alone = await shopReadInParts();
      const shared = await shopReadInParts(
        `databases: { ledger: "${await newUrl()}", workspace: "${await newUrl()}" }\n`,
      );
      await closeIn(alone);
      const workers = [await startWorker(shared), await startWorker(shared, { isForgetful: true })];
      await closeIn(shared, { itemsPerBatch: 1 });
      for (const worker of workers) await worker.stop();
      expect(await filesOf(join(shared, 'out'))).toEqual(await filesOf(join(alone, 'out')));
      const stages = workers.flatMap(({ done }) => done);
      expect(stages.filter((stage) => stage === 'extract').length).toBeGreaterThan(4);
      expect(stages).toContain('sale-pages');
    });

    it('does not wait for ever for a worker, and needs none for what it knows', async () => {
      const folder = await sharedShop();
      await expect(closeIn(folder, { patienceSeconds: 0 })).rejects.toMatchObject({
        code: 'E_WORKERS_ABSENT',
        recovery: 'retry',
      });
      // Nothing was left on the queue: a worker that comes too late has nothing to do.
      const late = await startWorker(folder);
      await late.stop();
      expect(late.done).toEqual([]);

      const first = await closeIn(folder);
      const worker = await startWorker(folder);
      const closed = await closeIn(folder, {});
      await worker.stop();
      expect(worker.done).not.toContain('submit');
      expect(closed.written.files).toEqual(first.written.files);
    });

    it('continues where it stopped stopped, with no batch left over', async () => {
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
      const { calculated, known } = closed.recomputed;
      expect(calculated + known).toBe(47);
      expect(known).toBeGreaterThan(0);
      expect(closed.submitted).toMatchObject({ created: 47, unchanged: 0 });
    });

    it('leaves no part of an export on the queue when it is stopped while it waits for one', async () => {
      const workspace = await newUrl();
      const folder = await shopReadInParts(
        `databases: { ledger: "${await newUrl()}", workspace: "${workspace}" }\n`,
      );
      const queue = await connect(workspace);
      onTestFinished(() => queue.close());
      const left = async (): Promise<number> => {
        const { rows } = await sql<{ count: number }>`
          select count(*) as count from tieout_queue.job where name like 'batches/%' and state <> 'completed'
        `.execute(queue.tables());
        return rows[0]?.count ?? 0;
      };
      let waits = 0;
      let most = 0;
      const stopping = { isAsked: () => waits > 0 };
      const closing = closeIn(folder, { itemsPerBatch: 1, patienceSeconds: 20 }, stopping, () => {
        waits += 1;
      });
      const watching = setInterval(() => {
        void left().then(
          (count) => {
            most = Math.max(most, count);
          },
          () => {},
        );
      }, 100);
      await expect(closing).rejects.toMatchObject({ code: 'E_STOPPED' });
      clearInterval(watching);
      expect(most).toBeGreaterThan(1);
      expect(await left()).toBe(0);
    });

    it('is not helped by a worker with another program, configuration or tax content, which says so and ends', async () => {
      const databases = `databases: { ledger: "${await newUrl()}", workspace: "${await newUrl()}" }\n`;
      const folder = await shopIn(databases);
      const stricter = await shopIn(`${databases}policy: { unexplained: "1.00" }\n`);
      const closing = closeIn(folder, {});
      const newer = await startWorker(folder, { version: '1' });
      expect(await newer.ended).toMatch(/^it is Tieout 1 .+, and the close is Tieout 0 /);
      const other = await startWorker(stricter);
      expect(await other.ended).toMatch(/^its configuration \(\w{8}\) is not that of the close \(\w{8}\)$/);
      const content = join(folder, 'content');
      await cp(DEFAULT_CONTENT_FOLDER, content, { recursive: true });
      await writeFile(join(content, 'more.txt'), 'more');
      const elsewhere = await startWorker(folder, { content });
      expect(await elsewhere.ended).toMatch(
        /^its tax service is embedded .+, and that of the close is embedded /,
      );

      const worker = await startWorker(folder);
      expect((await closing).submitted).toMatchObject({ created: 47 });
      await worker.stop();
    });

    it('leaves workers of another entity to that one, in the same database', async () => {
      const databases = `databases: { ledger: "${await newUrl()}", workspace: "${await newUrl()}" }\n`;
      const [shop, outlet] = [await shopIn(databases), await shopIn(databases, 'outlet')];
      const workers = [await startWorker(shop), await startWorker(outlet)];
      expect((await closeIn(shop, {})).submitted).toMatchObject({ created: 47 });
      expect(workers.map(({ done }) => done.length > 0)).toEqual([true, false]);
      expect((await closeIn(outlet, {})).submitted).toMatchObject({ created: 47 });
      expect(workers.map(({ done }) => done.length > 0)).toEqual([true, true]);
      for (const worker of workers) expect(await worker.stop()).toBeUndefined();
    });

    it('says that it waits for a worker, and goes on when one comes', async () => {
      const folder = await sharedShop();
      const said: string[] = [];
      const waits = Promise.withResolvers<void>();
      const closing = closeIn(folder, { patienceSeconds: 20 }, neverStopping, (text) => {
        said.push(text);
        waits.resolve();
      });
      await waits.promise;
      const worker = await startWorker(folder);
      expect((await closing).submitted).toMatchObject({ created: 47 });
      expect(said).toEqual(['waiting for a worker for 2 s, and for 20 s at most.']);
      await worker.stop();
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
