import { expect, test } from 'vitest';
import { pipelines } from '../entry/close.ts';
import { month } from '../support/month.ts';
import { ownContent } from '../support/own-content.ts';
import { withoutLock } from '../support/without-lock.ts';

/** A shop whose October is closed with a content folder of its own. */
const closedShop = async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  const { content, raiseCalifornia } = await ownContent(shop.folder);
  const close = () => shop.close('2026-10', '--content', content);
  await close();
  return { ...shop, content, raiseCalifornia, close, before: await shop.files() };
};

test('a period is locked as it was published, and says with which tax content, whatever is there by then', async () => {
  const shop = await closedShop();
  const { service } = (await shop.manifest()).content;
  await shop.raiseCalifornia();
  const { stdout } = await shop.run('lock', '2026-10');
  expect(stdout).toContain(`\ncalculated by: ${service}\n`);
  expect(await shop.told(0, 'lock', '2026-10')).toMatchObject({
    service,
    states: [{ state: 'CA', expected: '10.75' }],
  });

  expect((await shop.close()).states).toMatchObject([{ state: 'CA', expected: '10.75' }]);
  expect(withoutLock(await shop.files())).toEqual(shop.before);
});

test('what would come out otherwise with the present tax content is not signed, and both are named', async () => {
  const shop = await closedShop();
  const { service } = (await shop.manifest()).content;
  await shop.raiseCalifornia();
  const dana = ['--as', 'Dana', '--role', 'preparer', '--content', shop.content];
  const { code, stderr } = await shop.run('sign', '2026-10', ...dana);
  expect([code, stderr]).toEqual([65, expect.stringMatching(/^E_PACK_STALE: /)]);
  expect(stderr).toContain(`it was closed with ${service}, and this is embedded `);
  expect(await shop.files()).toEqual(shop.before);
});

test('what another version of the program would write otherwise is not signed, and both are named', async () => {
  const shop = await closedShop();
  const { service } = (await shop.manifest()).content;
  const dana = { period: '2026-10', role: 'preparer', name: 'Dana' };
  const signed = shop.ports((ports) => pipelines.sign.run(ports, dana), {
    content: shop.content,
    version: '1',
  });
  await expect(signed).rejects.toMatchObject({
    code: 'E_PACK_STALE',
    message: expect.stringContaining(`it was closed with ${service}, and this is embedded `),
  });
  expect(await shop.files()).toEqual(shop.before);
});
