import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { instant } from '../../src/kernel/calendar.ts';
import { fixedClock } from '../../src/kernel/clock.ts';
import { silentProgress } from '../../src/runtime/progress.ts';
import { closeHere, portsHere } from '../support/close-here.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { booksOf, leftIn, ORDERS, workspaceOf, writeFaultShop } from './fault-shop.ts';

const shop = async (settings = ''): Promise<string> => {
  const folder = await temporaryFolder();
  await writeFaultShop(folder, settings);
  return folder;
};

/** From now on reading any file by a handle fails after so many pieces, as on a disk that is dying. */
const readingFailsAfter = async (pieces: number): Promise<() => void> => {
  const handle = await open(import.meta.filename);
  const handles: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const original = handles.read;
  let read = 0;
  const failing = vi.spyOn(handles, 'read').mockImplementation(function (
    this: FileHandle,
    ...args: unknown[]
  ) {
    read += 1;
    if (read <= pieces) return Reflect.apply(original, this, args);
    return Promise.reject(Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }));
  } as typeof handles.read);
  onTestFinished(() => failing.mockRestore());
  return () => failing.mockRestore();
};

test.for([0, 1, 3])(
  'an export that cannot be read after %i pieces stops the close with nothing recorded',
  async (pieces) => {
    const [folder, whole] = [await shop(), await shop()];
    const repair = await readingFailsAfter(pieces);
    await expect(closeHere(folder)).rejects.toMatchObject({
      code: 'E_EXPORT_UNREADABLE',
      message: expect.stringContaining('orders.csv'),
    });
    expect((await leftIn(folder)).records).toEqual([]);
    repair();
    await closeHere(folder);
    await closeHere(whole);
    expect(await leftIn(folder)).toEqual(await leftIn(whole));
  },
);

test.for([
  ['books', booksOf],
  ['a workspace', workspaceOf],
] as const)('damage in %s is refused, and not repaired', async ([, pathIn]) => {
  const folder = await shop();
  await closeHere(folder);
  const path = pathIn(folder);
  const bytes = await readFile(path);
  bytes.fill(0xff, 4_096);
  await writeFile(path, bytes);
  await expect(closeHere(folder)).rejects.toMatchObject({
    code: 'E_DATABASE_DAMAGED',
    message: expect.stringContaining(path),
  });
  // Opening it counts as a change in its header; nothing else is written.
  const now = await readFile(path);
  expect(now.subarray(4_096).equals(bytes.subarray(4_096))).toBe(true);
});

test('a clock that jumps back between two runs changes nothing', async () => {
  const folder = await shop();
  await closeHere(folder);
  const first = await leftIn(folder);
  const years = (year: number) => fixedClock(instant(Date.UTC(year, 0, 1)));
  for (const clock of [years(2020), years(1970)]) {
    const again = await closeHere(folder, (ports) => ({ ...ports, clock }));
    expect(again.submitted).toMatchObject({ created: 0, updated: 0 });
    expect(await leftIn(folder)).toEqual(first);
  }
});

test('of two closes started at once one is refused, and the other one is as if alone', async () => {
  const [folder, whole] = [await shop(), await shop()];
  const ends = await Promise.allSettled([closeHere(folder), closeHere(folder)]);
  const refused = ends.filter((end) => end.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(['E_RUN_LOCKED']);
  await closeHere(whole);
  expect(await leftIn(folder)).toEqual(await leftIn(whole));
});

/** What is told while October is closed; it is cut off before the stage that is named. */
const told = async (folder: string, cutOffBefore?: string): Promise<readonly string[]> => {
  const lines: string[] = [];
  const progress = {
    ...silentProgress,
    started: (stage: string) => {
      if (stage === cutOffBefore) throw new Error('cut off');
    },
    finished: (stage: string, summary: string) => void lines.push(`${stage}: ${summary}`),
  };
  await portsHere(folder, (ports) => monthlyClose.run({ ...ports, progress }, { period: '2026-10' })).catch(
    (error: Error) => expect(error.message).toBe('cut off'),
  );
  return lines;
};

const CHANGED = /^resume: the configuration has changed since the last run/;

test.for(['extract', 'submit', 'pull-back', 'report'])(
  'a configuration that changes after a run was cut off before %s is said, and the close ends as with the new one from the start',
  async (stage) => {
    const settings = 'categories: [{ sku: GEN-*, code: "40030" }]\n';
    const [folder, whole] = [await shop(), await shop(settings)];
    expect(await told(folder, stage)).not.toContainEqual(expect.stringMatching(CHANGED));
    await writeFaultShop(folder, settings);
    expect((await told(folder))[0]).toMatch(CHANGED);
    expect((await told(folder))[0]).not.toMatch(CHANGED);
    await closeHere(whole);
    const { files, records } = await leftIn(folder);
    const expected = await leftIn(whole);
    expect(files).toEqual(expected.files);
    expect(records).toHaveLength(ORDERS.length);
  },
);

test('a run that was cut off goes on without a word when the configuration is the same', async () => {
  const folder = await shop();
  await told(folder, 'submit');
  expect(await told(folder)).not.toContainEqual(expect.stringMatching(CHANGED));
});
