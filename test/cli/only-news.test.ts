import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildIo } from '../../src/build-io.ts';
import { run } from '../../src/cli/run.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';

/** The command in this process: its exit code, and what it printed. */
const close = async (folder: string, period = '2026-10') => {
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const io = buildIo({ version: '0', variable: () => undefined, print, warn: print, isTerminal: false });
  const code = await run(['close', period, '--config', join(folder, 'tieout.yaml'), '--only-news'], '0', io);
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
  expect(await close(folder)).toEqual({ code: 0, printed: expect.stringContaining('READY') });
  expect(await close(folder)).toEqual({ code: 0, printed: '' });
});

test('a summary names months in between that have sales and that nobody has closed', async () => {
  const folder = await temporaryFolder();
  const days = ['2026-06-10', '2026-07-10', '2026-08-10', '2026-10-10'];
  const orders = days.map((day, index) => ({ name: `#${index + 1}`, at: `${day} 12:00:00 -0700` }));
  await writeOrders(folder, 'orders.csv', orders);
  await writeShop(folder, ['orders.csv']);
  expect((await close(folder, '2026-07')).printed).not.toContain('not closed yet');
  const { printed } = await close(folder);
  expect(printed).toContain('\nnot closed yet, and has sales: 2026-08\n');
});
