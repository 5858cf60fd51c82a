import { mkdtempSync } from 'node:fs';
import promises, { rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { TieoutError } from '../../src/kernel/errors.ts';
import { exitCodeOf } from '../../src/kernel/exit-code.ts';
import { closeHere } from '../support/close-here.ts';
import { writeOrders } from '../support/shop.ts';
import { filesOf, temporaryFolder } from '../support/tieout.ts';
import { leftIn, ORDERS, writeFaultShop } from './fault-shop.ts';
import { mountedOver } from './mounted-over.ts';
import { type SmallDisk, smallDisk } from './small-disk.ts';

/**
 * A disk that fails at every byte of a file, also when it is written from its beginning: a process may not touch its
 * lowest memory.
 */
const FAILING = `/proc/${process.pid}/mem`;
const NO_MOUNT = 'only root may mount a disk of its own';

/** Close again and again, with twice the room after each refusal; gives their codes. */
const closeWhileGrowing = async (folder: string, disk: SmallDisk): Promise<readonly string[]> => {
  const refusals: string[] = [];
  for (let kilobytes = 16; kilobytes <= 65_536; kilobytes *= 2) {
    disk.remount(`size=${kilobytes}k`);
    try {
      await closeHere(folder);
      return refusals;
    } catch (error) {
      if (!(error instanceof TieoutError)) throw error;
      refusals.push(error.code);
      expect(await filesOf(join(folder, 'out', 'shop', '2026-10'))).toEqual(new Map());
    }
  }
  throw new Error(`64 MB were not enough: ${refusals.join(', ')}`);
};

describe('a disk', () => {
  const whole = mkdtempSync(join(tmpdir(), 'tieout-faults-'));
  let untouched: Awaited<ReturnType<typeof leftIn>>;
  beforeAll(async () => {
    await writeFaultShop(whole);
    await closeHere(whole);
    untouched = await leftIn(whole);
    expect(untouched.records).toHaveLength(ORDERS.length);
  });
  afterAll(() => rm(whole, { recursive: true, force: true }));

  test.for([
    ['work', ['E_DATABASE_STORAGE']],
    ['books', ['E_DATABASE_STORAGE']],
    ['out', ['E_OUTPUT_FULL']],
  ] as const)(
    'that is full under %s is said to be, and the close goes on where there is room',
    async ([place, codes], { skip }) => {
      const folder = await temporaryFolder();
      await writeFaultShop(folder);
      const disk = smallDisk(join(folder, place), 'size=16k');
      if (disk === undefined) return skip(NO_MOUNT);
      const refusals = await closeWhileGrowing(folder, disk);
      expect([...new Set(refusals)]).toEqual(codes);
      expect(await leftIn(folder)).toEqual(untouched);
    },
  );

  test('that takes no files for the output is refused before anything is recorded', async ({ skip }) => {
    const folder = await temporaryFolder();
    await writeFaultShop(folder);
    const disk = smallDisk(join(folder, 'out'), 'ro');
    if (disk === undefined) return skip(NO_MOUNT);
    await expect(closeHere(folder)).rejects.toMatchObject({ code: 'E_OUTPUT_UNWRITABLE' });
    expect((await leftIn(folder)).records).toEqual([]);
    disk.remount('rw');
    await closeHere(folder);
    expect(await leftIn(folder)).toEqual(untouched);
  });

  test.for(['writeFile', 'rename', 'mkdtemp'] as const)(
    'that fails at a %s of the output is said to have failed, and the next close is whole',
    async (operation) => {
      const folder = await temporaryFolder();
      await writeFaultShop(folder);
      const failing = vi
        .spyOn(promises, operation)
        .mockRejectedValue(Object.assign(new Error(`EIO: i/o error, ${operation}`), { code: 'EIO' }));
      syncBuiltinESMExports();
      const repair = () => {
        failing.mockRestore();
        syncBuiltinESMExports();
      };
      onTestFinished(repair);
      await expect(closeHere(folder)).rejects.toMatchObject({
        code: 'E_DISK_FAILED',
        message: expect.stringContaining(join(folder, 'out')),
      });
      expect((await filesOf(join(folder, 'out'))).size).toBe(0);
      repair();
      await closeHere(folder);
      expect(await leftIn(folder)).toEqual(untouched);
    },
  );

  test.for([
    ['out/shop/2026-10/report.html', 'E_DISK_FAILED'],
    ['out/shop/2026-10.out-of-date.txt', 'E_DISK_FAILED'],
    ['work/workspace.db.lock', 'E_DATABASE_STORAGE'],
    ['books/ledger.db', 'E_DATABASE_STORAGE'],
  ] as const)('that fails under %s is said to have failed: exit code 69', async ([file, code], { skip }) => {
    const folder = await temporaryFolder();
    await writeFaultShop(folder);
    await closeHere(folder);
    const { records } = await leftIn(folder);
    await writeOrders(folder, 'orders.csv', [...ORDERS, { name: '#1' }]);
    const path = join(folder, file);
    const disk = mountedOver(path, FAILING);
    if (disk === undefined) return skip(NO_MOUNT);
    const error = await closeHere(folder).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, message: expect.stringContaining(path) });
    expect(exitCodeOf(error)).toBe(69);
    disk.unmount();
    await closeHere(folder);
    expect((await leftIn(folder)).records).toHaveLength(records.length + 1);
  });

  test.for(['work', 'books'] as const)(
    'that takes no writes under %s is refused with the file named',
    async (place, { skip }) => {
      const folder = await temporaryFolder();
      await writeFaultShop(folder);
      const disk = smallDisk(join(folder, place), 'size=8m');
      if (disk === undefined) return skip(NO_MOUNT);
      await closeHere(folder);
      disk.remount('ro');
      await expect(closeHere(folder)).rejects.toMatchObject({
        code: 'E_DATABASE_ACCESS',
        message: expect.stringContaining(join(folder, place)),
      });
      disk.remount('rw');
      expect(await leftIn(folder)).toEqual(untouched);
    },
  );
});
