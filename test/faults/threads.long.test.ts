import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { exitCodeOf } from '../../src/kernel/exit-code.ts';
import { type Progress, silentProgress } from '../../src/runtime/progress.ts';
import { pipelines } from '../entry/close.ts';
import { ownContent } from '../support/own-content.ts';
import { sharedFolder } from '../support/tieout.ts';
import { type FaultMonth, faultMonth } from './fault-month.ts';
import { mountedOver } from './mounted-over.ts';
import { smallDisk } from './small-disk.ts';

/** A month with four orders on each day. */
const threadMonth = (place?: string): Promise<FaultMonth> =>
  faultMonth(
    {
      orders: Array.from({ length: 124 }, (_, index) => ({
        name: `#${1001 + index}`,
        at: `2026-10-${String(1 + (index % 31)).padStart(2, '0')}`,
        price: `${100 + 4 * index}.00`,
      })),
    },
    place,
  );

const whole = sharedFolder();
let untouched: Awaited<ReturnType<FaultMonth['left']>>;
beforeAll(async () => {
  const shop = await threadMonth(whole);
  await shop.closeWith();
  untouched = await shop.left();
});

/** Close October with two further threads. */
const closeInThreads = (shop: FaultMonth, started: Progress['started'] = () => {}, content?: string) =>
  shop.ports(
    (ports) =>
      pipelines.monthlyClose.run(
        { ...ports, progress: { ...silentProgress, started } },
        { period: '2026-10' },
      ),
    { content, threads: { others: 2, salesMin: 10 } },
  );

test.for([
  ['work', 'recompute'],
  ['books', 'submit'],
] as const)(
  'a disk under %s that is full while several threads %s is said to be, and the next close is whole',
  async ([place, stage], { skip }) => {
    const shop = await threadMonth();
    const disk = smallDisk(join(shop.folder, place), 'size=32m');
    if (disk === undefined) return skip('only root may mount a disk of its own');
    const error = await closeInThreads(shop, (name) => {
      if (name !== stage) return;
      const { blocks, bfree, bsize } = statfsSync(join(shop.folder, place));
      disk.remount(`size=${((blocks - bfree) * bsize) / 1024 + 32}k`);
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'E_DATABASE_STORAGE' });
    expect(exitCodeOf(error)).toBe(69);
    disk.remount('size=64m');
    await closeInThreads(shop);
    expect(await shop.left()).toEqual(untouched);
  },
);

/** Somebody else who begins to write to a database file, as soon as no one does. */
const writerTo = (path: string): { readonly release: () => void } => {
  const writer = new DatabaseSync(path);
  const begin = (): void => {
    try {
      if (writer.isOpen) writer.exec('begin immediate');
    } catch {
      setTimeout(begin);
    }
  };
  begin();
  const release = (): void => {
    if (writer.isOpen) writer.close();
  };
  onTestFinished(release);
  return { release };
};

const PLACES = [
  ['recompute', 'workspace'],
  ['submit', 'books'],
] as const;

test.for(PLACES)(
  'several threads wait while somebody else writes to their database: from %s on',
  async ([stage, file]) => {
    const shop = await threadMonth();
    await closeInThreads(shop, (name) => {
      if (name !== stage) return;
      const { release } = writerTo(shop[file]);
      setTimeout(release, 2_000);
    });
    expect(await shop.left()).toEqual(untouched);
  },
);

/** They give up after ten seconds: `npm run test:outages` waits for that. */
test.runIf(process.env['ALL_OUTAGES'] === '1').for(PLACES)(
  'several threads that wait for too long say so with exit code 75, and the next close goes on: from %s on',
  async ([stage, file]) => {
    const shop = await threadMonth();
    let release = () => {};
    const error = await closeInThreads(shop, (name) => {
      if (name === stage) release = writerTo(shop[file]).release;
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'E_DATABASE_BUSY' });
    expect(exitCodeOf(error)).toBe(75);
    release();
    await closeInThreads(shop);
    expect(await shop.left()).toEqual(untouched);
  },
);

test('content that a thread cannot read, because its disk fails, is said to be, and the next close is whole', async ({
  skip,
}) => {
  const shop = await threadMonth();
  const { content } = await ownContent(shop.folder);
  let disk: ReturnType<typeof mountedOver>;
  const error = await closeInThreads(
    shop,
    (name) => {
      if (name === 'extract') disk = mountedOver(join(content, 'zips.tsv'), `/proc/${process.pid}/mem`);
    },
    content,
  ).catch((reason: unknown) => reason);
  if (disk === undefined) return skip('only root may mount a disk of its own');
  expect(error).toMatchObject({
    code: 'E_DISK_FAILED',
    message: expect.stringContaining(join(content, 'zips.tsv')),
  });
  expect(exitCodeOf(error)).toBe(69);
  disk.unmount();
  await closeInThreads(shop, undefined, content);
  expect(await shop.left()).toEqual(untouched);
});
