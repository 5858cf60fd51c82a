import { cpSync, mkdtempSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { exitCodeOf } from '../../src/kernel/exit-code.ts';
import { type Progress, silentProgress } from '../../src/runtime/progress.ts';
import { DEFAULT_CONTENT_FOLDER } from '../../src/service/content/load-content.ts';
import { withThreads } from '../../src/with-threads.ts';
import { closeHere, portsHere } from '../support/close-here.ts';
import { writeOrders } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { booksOf, leftIn, workspaceOf, writeFaultShop } from './fault-shop.ts';
import { mountedOver } from './mounted-over.ts';
import { smallDisk } from './small-disk.ts';

/** A shop with four orders on each day of October. */
const writeThreadShop = async (folder: string): Promise<void> => {
  await writeFaultShop(folder);
  const orders = Array.from({ length: 124 }, (_, index) => ({
    name: `#${1001 + index}`,
    at: `2026-10-${String(1 + (index % 31)).padStart(2, '0')} 09:00:00 -0700`,
    price: `${100 + 4 * index}.00`,
    tax: (10.75 + 0.43 * index).toFixed(2),
  }));
  await writeOrders(folder, 'orders.csv', orders);
};

const whole = mkdtempSync(join(tmpdir(), 'tieout-faults-'));
let untouched: Awaited<ReturnType<typeof leftIn>>;
beforeAll(async () => {
  await writeThreadShop(whole);
  await closeHere(whole);
  untouched = await leftIn(whole);
});
afterAll(() => rm(whole, { recursive: true, force: true }));

/** Close October with two further threads. */
const closeInThreads = (folder: string, started: Progress['started'] = () => {}, content?: string) =>
  portsHere(
    folder,
    (ports) =>
      withThreads(ports, { content, version: '0', others: 2, salesMin: 10 }, (close) =>
        monthlyClose.run({ ...close, progress: { ...silentProgress, started } }, { period: '2026-10' }),
      ),
    { content },
  );

test.for([
  ['work', 'recompute'],
  ['books', 'submit'],
] as const)(
  'a disk under %s that is full while several threads %s is said to be, and the next close is whole',
  async ([place, stage], { skip }) => {
    const folder = await temporaryFolder();
    await writeThreadShop(folder);
    const disk = smallDisk(join(folder, place), 'size=32m');
    if (disk === undefined) return skip('only root may mount a disk of its own');
    const error = await closeInThreads(folder, (name) => {
      if (name !== stage) return;
      const { blocks, bfree, bsize } = statfsSync(join(folder, place));
      disk.remount(`size=${((blocks - bfree) * bsize) / 1024 + 32}k`);
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'E_DATABASE_STORAGE' });
    expect(exitCodeOf(error)).toBe(69);
    disk.remount('size=64m');
    await closeInThreads(folder);
    expect(await leftIn(folder)).toEqual(untouched);
  },
);

/** Somebody else who begins to write to a database file, as soon as nobody does. */
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
  ['recompute', workspaceOf],
  ['submit', booksOf],
] as const;

test.for(PLACES)(
  'several threads wait while somebody else writes to their database: from %s on',
  async ([stage, pathIn]) => {
    const folder = await temporaryFolder();
    await writeThreadShop(folder);
    await closeInThreads(folder, (name) => {
      if (name !== stage) return;
      const { release } = writerTo(pathIn(folder));
      setTimeout(release, 2_000);
    });
    expect(await leftIn(folder)).toEqual(untouched);
  },
);

/** They give up after ten seconds: `npm run test:outages` waits for that. */
test.runIf(process.env['ALL_OUTAGES'] === '1').for(PLACES)(
  'several threads that wait for too long say so with exit code 75, and the next close goes on: from %s on',
  async ([stage, pathIn]) => {
    const folder = await temporaryFolder();
    await writeThreadShop(folder);
    let release = () => {};
    const error = await closeInThreads(folder, (name) => {
      if (name === stage) release = writerTo(pathIn(folder)).release;
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'E_DATABASE_BUSY' });
    expect(exitCodeOf(error)).toBe(75);
    release();
    await closeInThreads(folder);
    expect(await leftIn(folder)).toEqual(untouched);
  },
);

test('content that a thread cannot read, because its disk fails, is said to be, and the next close is whole', async ({
  skip,
}) => {
  const folder = await temporaryFolder();
  await writeThreadShop(folder);
  const content = join(folder, 'content');
  cpSync(DEFAULT_CONTENT_FOLDER, content, { recursive: true });
  let disk: ReturnType<typeof mountedOver>;
  const error = await closeInThreads(
    folder,
    (name) => {
      if (name === 'recompute') disk = mountedOver(join(content, 'zips.tsv'), `/proc/${process.pid}/mem`);
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
  await closeInThreads(folder, undefined, content);
  expect(await leftIn(folder)).toEqual(untouched);
});
