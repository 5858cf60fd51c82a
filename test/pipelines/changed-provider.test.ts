import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

test('the provider of a channel stays as it is once its records were sent', async () => {
  const shop = await month({ template: [{ name: 'T-1' }], channel: { provider: 'till' } });
  await shop.run('plan', '2026-10');
  await shop.change({ channel: { provider: 'shop-2' } });
  await shop.close();
  await shop.run('lock', '2026-10');

  await shop.change({ channel: {} });
  const { code, stdout, stderr } = await shop.run('close', '2026-10');
  expect(code).toBe(78);
  expect(stdout + stderr).toContain(
    'the records of the channel "shop" were sent under the provider "shop-2", and the configuration names "shop"',
  );
  expect(await shop.records('shop')).toEqual([]);

  await shop.change({ channel: { provider: 'shop-2' } });
  expect(await shop.close()).toMatchObject({ exit_code: 0 });
  expect(await shop.records('shop-2')).toEqual(['order T-1 100.00 10.75']);
});
