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
import { filesOf } from '../support/tieout.ts';
import { variedShop } from '../support/varied-shop.ts';

/** Three orders on each day of October. */
const shop = (): Promise<string> => variedShop({ count: 93, dayOf: (index) => 1 + (index % 31) });

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
