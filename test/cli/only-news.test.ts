import { chmod, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { asOrdinaryUser } from '../support/as-ordinary-user.ts';
import { type Month, month } from '../support/month.ts';

/** The exit code of a close that prints news only, and what it printed, without how long it took. */
const close = async (shop: Month, period = '2026-10') => {
  const { code, stdout, stderr } = await shop.run('close', period, '--only-news');
  return { code, printed: (stdout + stderr).replace(/, [\d.]+ s$/m, '') };
};

test('a close that is tried again prints its summary when it says something else than the last time, and nothing else', async () => {
  const shop = await month({ channel: { files: ['orders.csv'] } });
  const orders = join(shop.folder, 'orders.csv');
  expect(await close(shop)).toEqual({ code: 65, printed: expect.stringMatching(/^E_EXPORT_MISSING: /) });
  expect(await close(shop)).toEqual({ code: 65, printed: expect.stringMatching(/^E_EXPORT_MISSING: /) });

  await shop.change({ orders: [{ name: '#1', total: '1.00' }] });
  const open = await close(shop);
  expect(open).toEqual({
    code: 1,
    printed: expect.stringMatching(/^variance .*\n(?:.*\n)*? {2}open total-differs #1 CA \+10\.75: /),
  });
  expect(await close(shop)).toEqual({ code: 1, printed: '' });

  await rename(orders, `${orders}.away`);
  expect((await close(shop)).code).toBe(65);
  await rename(`${orders}.away`, orders);
  expect(await close(shop)).toEqual({
    code: 1,
    printed: expect.stringMatching(/^variance .*\n(?:.*\n)*? {2}open total-differs /),
  });
  expect(await close(shop)).toEqual({ code: 1, printed: '' });

  await shop.change({ orders: [{ name: '#1' }] });
  expect(await close(shop)).toEqual({
    code: 0,
    printed: expect.stringMatching(/^variance 0\.00: .*\n/),
  });
  expect(await close(shop)).toEqual({ code: 0, printed: '' });
});

test('books that cannot be read or written again are told, by status as well', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  expect((await close(shop)).code).toBe(0);
  await asOrdinaryUser(shop.folder, async () => {
    for (const [error, place] of [
      ['E_ACCESS_REFUSED', dirname(shop.out())],
      ['E_OUTPUT_UNWRITABLE', shop.out()],
    ] as const) {
      await chmod(place, 0);
      expect(await close(shop)).toEqual({ code: 78, printed: expect.stringContaining(`${error}: `) });
      expect((await shop.run('status')).stderr).toMatch(/^E_(?:ACCESS_REFUSED|OUTPUT_UNWRITABLE): /);
      await chmod(place, 0o700);
    }
  });
});

test('a close warns of what is out of date since, once', async () => {
  const orders = ['2026-09-10', '2026-10-10'].map((at, index) => ({ name: `#${index + 1}`, at }));
  const shop = await month({ orders });
  await close(shop, '2026-09');
  await close(shop);
  await shop.change({ orders: [...orders, { name: '#3', at: '2026-09-11' }] });
  expect((await close(shop, '2026-09')).printed).toMatch(
    /^2026-10 is out of date: 2026-09, on which it builds, was closed again since\. Close it again\.$/m,
  );
  expect(await close(shop, '2026-09')).toEqual({ code: 0, printed: '' });
});
