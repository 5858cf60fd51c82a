import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { instant } from '../../src/kernel/calendar.ts';
import { fixedClock } from '../../src/kernel/clock.ts';
import { silentProgress } from '../../src/runtime/progress.ts';
import { DATABASES, type FaultMonth, faultMonth, ORDERS } from './fault-month.ts';

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
    const [shop, whole] = [await faultMonth(), await faultMonth()];
    const repair = await readingFailsAfter(pieces);
    const { code, stderr } = await shop.run('close', '2026-10');
    expect([code, stderr]).toEqual([65, expect.stringMatching(/^E_EXPORT_UNREADABLE: .*orders\.csv/)]);
    expect((await shop.left()).records).toEqual([]);
    repair();
    await shop.closeWith();
    await whole.closeWith();
    expect(await shop.left()).toEqual(await whole.left());
  },
);

test.for(['books', 'workspace'] as const)('damage in its %s is refused, and not repaired', async (file) => {
  const shop = await faultMonth();
  await shop.closeWith();
  const path = shop[file];
  const bytes = await readFile(path);
  bytes.fill(0xff, 4_096);
  await writeFile(path, bytes);
  const { code, stderr } = await shop.run('close', '2026-10');
  expect([code, stderr.split(':')[0]]).toEqual([65, 'E_DATABASE_DAMAGED']);
  expect(stderr).toContain(path);
  // Opening it counts as a change in its header; nothing else is written.
  const now = await readFile(path);
  expect(now.subarray(4_096).equals(bytes.subarray(4_096))).toBe(true);
});

test('a clock that jumps back between two runs changes nothing', async () => {
  const shop = await faultMonth();
  await shop.closeWith();
  const first = await shop.left();
  const years = (year: number) => fixedClock(instant(Date.UTC(year, 0, 1)));
  for (const clock of [years(2020), years(1970)]) {
    const again = await shop.closeWith(undefined, { clock });
    expect(again.submitted).toMatchObject({ created: 0, updated: 0 });
    expect(await shop.left()).toEqual(first);
  }
});

test('of two closes started at once one is refused, and the other one is as if alone', async () => {
  const [shop, whole] = [await faultMonth(), await faultMonth()];
  const ends = await Promise.allSettled([shop.closeWith(), shop.closeWith()]);
  const refused = ends.filter((end) => end.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(['E_RUN_LOCKED']);
  await whole.closeWith();
  expect(await shop.left()).toEqual(await whole.left());
});

/** What is told while October is closed; it is cut off before the stage that is named. */
const told = async (shop: FaultMonth, cutOffBefore?: string): Promise<readonly string[]> => {
  const lines: string[] = [];
  const progress = {
    ...silentProgress,
    started: (stage: string) => {
      if (stage === cutOffBefore) throw new Error('cut off');
    },
    finished: (stage: string, summary: string) => void lines.push(`${stage}: ${summary}`),
  };
  await shop
    .closeWith((ports) => ({ ...ports, progress }))
    .catch((error: Error) => expect(error.message).toBe('cut off'));
  return lines;
};

const CHANGED = /^resume: the configuration has changed since the last run/;

test.for(['extract', 'submit', 'read back', 'report'])(
  'a configuration that changes after a run was cut off before %s is said, and the close ends as with the new one from the start',
  async (stage) => {
    const settings = { categories: [{ sku: 'GEN-*', code: '40030' }] };
    const [shop, whole] = [await faultMonth(), await faultMonth({ settings })];
    expect(await told(shop, stage)).not.toContainEqual(expect.stringMatching(CHANGED));
    await shop.change({ settings: { databases: DATABASES, ...settings } });
    expect((await told(shop))[0]).toMatch(CHANGED);
    expect((await told(shop))[0]).not.toMatch(CHANGED);
    await whole.closeWith();
    const { files, records } = await shop.left();
    const expected = await whole.left();
    expect(files).toEqual(expected.files);
    expect(records).toHaveLength(ORDERS.length);
  },
);

test('a run that was cut off goes on without a word when the configuration is the same', async () => {
  const shop = await faultMonth();
  await told(shop, 'submit');
  expect(await told(shop)).not.toContainEqual(expect.stringMatching(CHANGED));
});
