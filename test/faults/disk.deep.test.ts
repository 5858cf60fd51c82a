import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { TieoutError } from '../../src/kernel/errors.ts';
import { sharedFolder } from '../support/tieout.ts';
import { type FaultMonth, faultMonth, ORDERS } from './fault-month.ts';
import { type SmallDisk, smallDisk } from './small-disk.ts';

const NO_MOUNT = 'only root may mount a disk of its own';

/** Close again and again, with twice the room after each refusal; gives their codes. */
const closeWhileGrowing = async (shop: FaultMonth, disk: SmallDisk): Promise<readonly string[]> => {
  const refusals: string[] = [];
  for (let kilobytes = 16; kilobytes <= 65_536; kilobytes *= 2) {
    disk.remount(`size=${kilobytes}k`);
    try {
      await shop.closeWith();
      return refusals;
    } catch (error) {
      if (!(error instanceof TieoutError)) throw error;
      refusals.push(error.code);
      expect(await shop.files()).toEqual(new Map());
    }
  }
  throw new Error(`64 MB were not enough: ${refusals.join(', ')}`);
};

describe('a disk', () => {
  const whole = sharedFolder();
  let untouched: Awaited<ReturnType<FaultMonth['left']>>;
  beforeAll(async () => {
    const shop = await faultMonth({}, whole);
    await shop.closeWith();
    untouched = await shop.left();
    expect(untouched.records).toHaveLength(ORDERS.length);
  });

  test.for([
    ['books', ['E_DATABASE_STORAGE']],
    ['out', ['E_OUTPUT_FULL']],
  ] as const)(
    'that is full under %s is said to be, and the close goes on where there is room',
    async ([place, codes], { skip }) => {
      const shop = await faultMonth();
      const disk = smallDisk(join(shop.folder, place), 'size=16k');
      if (disk === undefined) return skip(NO_MOUNT);
      const refusals = await closeWhileGrowing(shop, disk);
      expect([...new Set(refusals)]).toEqual(codes);
      expect(await shop.left()).toEqual(untouched);
    },
  );

  test('that takes no files for the output is refused before anything is recorded', async ({ skip }) => {
    const shop = await faultMonth();
    const disk = smallDisk(join(shop.folder, 'out'), 'ro');
    if (disk === undefined) return skip(NO_MOUNT);
    await expect(shop.closeWith()).rejects.toMatchObject({ code: 'E_OUTPUT_UNWRITABLE' });
    expect((await shop.left()).records).toEqual([]);
    disk.remount('rw');
    await shop.closeWith();
    expect(await shop.left()).toEqual(untouched);
  });

  test.for(['writeFile', 'rename', 'mkdtemp'] as const)(
    'that fails at a %s of the output is said to have failed, and the next close is whole',
    async (operation) => {
      const shop = await faultMonth();
      const failing = vi
        .spyOn(promises, operation)
        .mockRejectedValue(Object.assign(new Error(`EIO: i/o error, ${operation}`), { code: 'EIO' }));
      syncBuiltinESMExports();
      const repair = () => {
        failing.mockRestore();
        syncBuiltinESMExports();
      };
      onTestFinished(repair);
      await expect(shop.closeWith()).rejects.toMatchObject({
        code: 'E_DISK_FAILED',
        message: expect.stringContaining(join(shop.folder, 'out')),
      });
      expect((await shop.published()).size).toBe(0);
      repair();
      await shop.closeWith();
      expect(await shop.left()).toEqual(untouched);
    },
  );

  test('that takes no writes under the records is refused with the file named', async ({ skip }) => {
    const shop = await faultMonth();
    const disk = smallDisk(join(shop.folder, 'books'), 'size=8m');
    if (disk === undefined) return skip(NO_MOUNT);
    await shop.closeWith();
    disk.remount('ro');
    await expect(shop.closeWith()).rejects.toMatchObject({
      code: 'E_DATABASE_ACCESS',
      message: expect.stringContaining(join(shop.folder, 'books')),
    });
    disk.remount('rw');
    expect(await shop.left()).toEqual(untouched);
  });
});
