import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { faultMonth } from './fault-month.ts';

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
    const shop = await faultMonth();
    const whole = await faultMonth();
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

test('damage in its records is refused, and not repaired', async () => {
  const shop = await faultMonth();
  await shop.closeWith();
  const path = shop.books;
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

test('of two closes started at once one is refused, and the other one is as if alone', async () => {
  const shop = await faultMonth();
  const whole = await faultMonth();
  const ends = await Promise.allSettled([shop.closeWith(), shop.closeWith()]);
  const refused = ends.filter((end) => end.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(['E_RUN_LOCKED']);
  await whole.closeWith();
  expect(await shop.left()).toEqual(await whole.left());
});
