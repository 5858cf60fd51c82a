import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import type { Batch } from '../../src/close/stages/batches/batch.ts';
import type { ClosePorts, Threads } from '../../src/close/stages/close-ports.ts';
import { type Progress, silentProgress } from '../../src/runtime/progress.ts';
import { DEFAULT_CONTENT_FOLDER } from '../../src/service/content/load-content.ts';
import { withThreads } from '../../src/with-threads.ts';
import { closeHere, portsHere } from '../support/close-here.ts';
import { type ShopOrder, writeOrders, writeRefunds, writeShop } from '../support/shop.ts';
import { filesOf, temporaryFolder } from '../support/tieout.ts';

/** Orders on all days of the month, a few that were charged wrongly, and two that came back. */
const orders: readonly ShopOrder[] = Array.from({ length: 93 }, (_, index) => ({
  name: `#${1001 + index}`,
  at: `2026-10-${String(1 + (index % 31)).padStart(2, '0')} 09:00:00 -0700`,
  ...(index >= 40 && { price: `${4 * index}.00`, tax: (0.43 * index).toFixed(2) }),
  ...(index % 17 === 5 && { tax: '9.99' }),
  ...(index < 2 && { status: 'refunded' as const, refunded: '110.75' }),
}));
const refunds = orders
  .slice(0, 2)
  .map(({ name }) => ({ order: name, at: '2026-10-12 12:00:00 -0700', amount: '110.75' }));

const shop = async (): Promise<string> => {
  const folder = await temporaryFolder();
  await writeOrders(folder, 'orders.csv', orders);
  await writeRefunds(folder, 'refunds.csv', refunds);
  await writeShop(folder, ['orders.csv'], ['refunds.csv']);
  return folder;
};

/** Close October with two further threads, whatever the machine has. */
const closeWithThreads = (
  folder: string,
  {
    changed = (threads: Threads) => threads,
    progress = silentProgress,
    content,
  }: {
    readonly changed?: (threads: Threads) => Threads;
    readonly progress?: Progress;
    readonly content?: string;
  } = {},
) =>
  portsHere(
    folder,
    (ports) =>
      withThreads(
        ports as ClosePorts,
        { content, version: '0', others: 2, salesMin: 50 },
        ({ threads, ...close }) =>
          monthlyClose.run(
            { ...close, ...(threads && { threads: changed(threads) }), progress },
            { period: '2026-10' },
          ),
      ),
    { content },
  );

it('a close whose days are shared with other threads asks, sends and writes what a close at one go does', async () => {
  const [atOneGo, shared] = [await shop(), await shop()];
  const plain = await closeHere(atOneGo);
  const pieces: Batch[] = [];
  const closed = await closeWithThreads(shared, {
    changed: (threads) => ({
      ...threads,
      itemsPerPiece: 10,
      doAll: (given, done, waiting) =>
        threads.doAll(
          (async function* () {
            for await (const piece of given) {
              pieces.push(piece as unknown as Batch);
              yield piece;
            }
          })(),
          done,
          waiting,
        ),
    }),
  });

  expect(await filesOf(join(shared, 'out'))).toEqual(await filesOf(join(atOneGo, 'out')));
  for (const stage of ['submitted', 'pulledBack', 'reconciled'] as const)
    expect(closed[stage]).toEqual(plain[stage]);
  expect({ ...closed.recomputed, asked: 0 }).toEqual({ ...plain.recomputed, asked: 0 });
  const counts = Object.groupBy(pieces, ({ stage }) => stage);
  expect(counts['recompute']).toHaveLength(31);
  expect(counts['submit']).toHaveLength(31);
  expect(counts['pull-back']).toHaveLength(10);
  expect(counts['reconcile']).toHaveLength(31);
});

/** Do something when the stages before the first one with threads are done. */
const beforeThreads = (work: () => void): Progress => ({
  ...silentProgress,
  finished: (stage) => {
    if (stage === 'late') work();
  },
});

it('days that another thread refuses, because the tax content has changed under it, are done by this one', async () => {
  const folder = await shop();
  const content = join(folder, 'content');
  cpSync(DEFAULT_CONTENT_FOLDER, content, { recursive: true });
  const closed = await closeWithThreads(folder, {
    content,
    progress: beforeThreads(() => writeFileSync(join(content, 'more.txt'), 'more')),
  });
  expect(closed.recomputed).toMatchObject({ calculated: 95 });
});

it('what hinders another thread from beginning ends the close', async () => {
  const folder = await shop();
  const content = join(folder, 'content');
  cpSync(DEFAULT_CONTENT_FOLDER, content, { recursive: true });
  const closing = closeWithThreads(folder, {
    content,
    progress: beforeThreads(() => rmSync(content, { recursive: true })),
  });
  await expect(closing).rejects.toMatchObject({ code: expect.stringMatching(/^E_CONTENT/) });
});

it('few sales are closed without other threads', async () => {
  const folder = await shop();
  const handed: unknown[] = [];
  await closeWithThreads(folder, {
    changed: (threads) => ({
      ...threads,
      salesMin: 1000,
      doAll: async () => {
        handed.push('something');
      },
    }),
  });
  expect(handed).toEqual([]);
});
