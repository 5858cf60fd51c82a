import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildIo } from '../../src/build-io.ts';
import { run } from '../../src/cli/run.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';

/** The command in this process: its exit code, and what it printed. */
const close = async (folder: string) => {
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const io = buildIo({ version: '0', variable: () => undefined, print, warn: print, isTerminal: false });
  const code = await run(
    ['close', '2026-10', '--config', join(folder, 'tieout.yaml'), '--only-news'],
    '0',
    io,
  );
  return { code, printed };
};

test('a close that is tried again prints its summary when it says something else than the last time, and nothing else', async () => {
  const folder = await temporaryFolder();
  const orders = join(folder, 'orders.csv');
  await writeShop(folder, ['orders.csv']);
  expect(await close(folder)).toEqual({ code: 65, printed: expect.stringMatching(/^E_EXPORT_MISSING: /) });

  await writeOrders(folder, 'orders.csv', [{ name: '#1', total: '1.00' }]);
  const open = await close(folder);
  expect(open).toEqual({
    code: 1,
    printed: expect.stringMatching(/^variance .*\n(?:.*\n)*? {2}open total-differs #1: /),
  });
  expect(await close(folder)).toEqual({ code: 1, printed: '' });

  await rename(orders, `${orders}.away`);
  expect((await close(folder)).code).toBe(65);
  await rename(`${orders}.away`, orders);
  expect(await close(folder)).toEqual(open);

  await writeOrders(folder, 'orders.csv', [{ name: '#1' }]);
  expect(await close(folder)).toEqual({ code: 0, printed: expect.stringContaining('checks: ALL OK') });
  expect(await close(folder)).toEqual({ code: 0, printed: '' });
});
