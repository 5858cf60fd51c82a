import { expect, test } from 'vitest';
import { codeOf } from '../../support/code-of.ts';
import { month } from '../../support/month.ts';
import { ordersExport } from '../../support/shop-exports.ts';

test('a channel that got another name is refused, with the number of its sales', async () => {
  const shop = await month({ orders: [{ name: '#1', price: '100.00', tax: '10.75' }] });
  await shop.close();
  await shop.change({
    settings: { channels: [{ name: 'renamed', profile: 'shopify', files: ['orders*.csv'] }] },
  });
  const ran = await shop.run('close', '2026-10');
  expect([ran.code, codeOf(ran.stderr)]).toEqual([78, 'E_CHANNEL_UNKNOWN']);
  expect(ran.stderr).toContain('the workspace holds 1 sale of the channel "shopify"');
});

test('a channel without sales that got another name, or was removed, leaves nothing open', async () => {
  const pos = `${ordersExport([{ name: '#9', status: 'voided' }])}cut off,2026-10-03\n`;
  const shop = await month({ orders: [{ name: '#1' }] });
  const channels = (...more: readonly object[]) =>
    shop.change({ settings: { channels: [{ name: 'shopify', files: ['orders.csv'] }, ...more] } });
  const told = async () => {
    const { readiness } = await shop.close();
    const files = (await shop.rows('Inputs')).map(({ File }) => File).sort();
    return { open: readiness.reasons.map(({ code }) => code), files };
  };
  await shop.write('till/pos.csv', pos);
  await channels({ name: 'pos', files: ['till/pos.csv'] });
  const both = { open: ['cell-count'], files: ['orders.csv', 'till/pos.csv'] };
  expect(await told()).toEqual(both);
  await channels({ name: 'till', files: ['till/pos.csv'] });
  expect(await told()).toEqual(both);
  await channels();
  expect(await told()).toEqual({ open: [], files: ['orders.csv'] });
});
