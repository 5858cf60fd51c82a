import { expect, test } from 'vitest';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import { month } from '../support/month.ts';

test('the provider of a channel stays as it is once its records were sent', async () => {
  const shop = await month({ template: [{ name: 'T-1' }], channel: { provider: 'till' } });
  await shop.run('close', '2026-10', '--plan');
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

test('a provider under which the service recorded nothing can be corrected', async () => {
  const shop = await month({ template: [{ name: 'T-1' }], channel: { provider: 'til' } });
  const refusal = new ServiceRefusal(400, 'provider til is not known');
  const { submitted } = await shop.closeWith(({ service, ...ports }) => ({
    ...ports,
    service: { ...service, createMany: async (given) => given.map(() => refusal) },
  }));
  expect(submitted).toMatchObject({ created: 0, refused: 1 });

  await shop.change({ channel: { provider: 'till' } });
  expect(await shop.close()).toMatchObject({ exit_code: 0, submissions: { created: 1 } });
  expect(await shop.records('till')).toEqual(['order T-1 100.00 10.75']);

  await shop.change({ channel: { provider: 'til' } });
  expect(await shop.refused('close', '2026-10')).toBe('E_PROVIDER_CHANGED');
});
