import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { instant } from '../../src/kernel/calendar.ts';
import { fixedClock } from '../../src/kernel/clock.ts';
import { type Progress, silentProgress } from '../../src/runtime/progress.ts';
import { DEFAULT_CONTENT_FOLDER } from '../../src/service/content/load-content.ts';
import { pipelines } from '../entry/close.ts';
import { closeHere, portsHere } from '../support/close-here.ts';
import { type ShopOrder, writeOrders, writeShop } from '../support/shop.ts';
import { filesOf, temporaryFolder } from '../support/tieout.ts';
import { variedShop } from '../support/varied-shop.ts';

/** Three orders on each day of October. */
const shop = (): Promise<string> => variedShop({ count: 93, dayOf: (index) => 1 + (index % 31) });

type Settings = {
  readonly period?: string;
  readonly others?: number;
  readonly salesMin?: number;
  readonly progress?: Progress;
  readonly content?: string;
};

const IN_DECEMBER = fixedClock(instant(Date.UTC(2026, 11, 2)));

/** Close a period with further threads, two unless there is another number, whatever the machine has. */
const closeWithThreads = async (
  folder: string,
  { period = '2026-10', others = 2, salesMin = 50, progress = silentProgress, content }: Settings = {},
) => {
  let begun = 0;
  const count = () => {
    begun += 1;
  };
  process.on('worker', count);
  try {
    const closed = await portsHere(
      folder,
      (ports) => pipelines.monthlyClose.run({ ...ports, progress }, { period }),
      {
        content,
        clock: IN_DECEMBER,
        threads: { others, salesMin },
      },
    );
    return { closed, begun };
  } finally {
    process.off('worker', count);
  }
};

it('a close whose days are shared with other threads asks, sends and writes what a close at one go does', async () => {
  const [atOneGo, shared] = [await shop(), await shop()];
  const plain = await closeWithThreads(atOneGo, { others: 0 });
  const many = await closeWithThreads(shared);
  expect([plain.begun, many.begun]).toEqual([0, 2]);
  expect(await filesOf(join(shared, 'out'))).toEqual(await filesOf(join(atOneGo, 'out')));
  for (const stage of ['submitted', 'readBack', 'reconciled'] as const)
    expect(many.closed[stage]).toEqual(plain.closed[stage]);
  expect({ ...many.closed.recomputed, asked: 0 }).toEqual({ ...plain.closed.recomputed, asked: 0 });
});

/** A shop whose November has 700 sales, and five of October that came when October was locked and were carried. */
const shopWithLateSales = async (): Promise<string> => {
  const folder = await temporaryFolder();
  const orders = (count: number, at: string): ShopOrder[] =>
    Array.from({ length: count }, (_, index) => ({ name: `#${at.slice(5, 7)}${index}`, at }));
  await writeOrders(folder, 'october.csv', orders(1, '2026-10-10 12:00:00 -0700'));
  await writeShop(folder, ['october.csv']);
  await closeHere(folder);
  await portsHere(folder, (ports) => pipelines.lock.run(ports, { period: '2026-10', who: 'Dana' }));
  await writeOrders(folder, 'october.csv', orders(6, '2026-10-10 12:00:00 -0700'));
  await writeOrders(folder, 'november.csv', orders(700, '2026-11-05 12:00:00 -0800'));
  await writeShop(folder, ['october.csv', 'november.csv']);
  await portsHere(folder, (ports) =>
    pipelines.late.run(ports, { period: '2026-10', choice: 'carry', who: 'Dana' }),
  );
  return folder;
};

it('threads write the logs as one thread does, with late sales among them', async () => {
  const atOneGo = await shopWithLateSales();
  const shared = join(await temporaryFolder(), 'shop');
  await cp(atOneGo, shared, { recursive: true });
  await closeWithThreads(atOneGo, { period: '2026-11', others: 0 });
  const { closed, begun } = await closeWithThreads(shared, { period: '2026-11', others: 1, salesMin: 10 });
  expect(closed.submitted).toMatchObject({ created: 705 });
  expect(begun).toBe(1);
  expect(await filesOf(join(shared, 'out'))).toEqual(await filesOf(join(atOneGo, 'out')));
});

/** Do something before the first stage with threads. */
const beforeThreads = (work: () => void): Progress => ({
  ...silentProgress,
  started: (stage) => {
    if (stage === 'extract') work();
  },
});

it('days that another thread refuses, because the tax content has changed under it, are done by this one', async () => {
  const folder = await shop();
  const content = join(folder, 'content');
  cpSync(DEFAULT_CONTENT_FOLDER, content, { recursive: true });
  const { closed } = await closeWithThreads(folder, {
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
  const { begun } = await closeWithThreads(await shop(), { salesMin: 1000 });
  expect(begun).toBe(0);
});
