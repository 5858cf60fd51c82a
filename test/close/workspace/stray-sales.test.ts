import fc from 'fast-check';
import { expect, test } from 'vitest';
import { putSales } from '../../../src/close/workspace/put-sales.ts';
import { strayAmong } from '../../../src/close/workspace/sale-index.ts';
import { saleRow } from '../../../src/close/workspace/sale-rows.ts';
import { openWorkspace } from '../../../src/close/workspace/workspace.ts';
import { connect } from '../../../src/database/connect.ts';
import { ZERO } from '../../../src/kernel/money.ts';
import { codeOf } from '../../support/code-of.ts';
import { month } from '../../support/month.ts';
import { ordersExport } from '../../support/shop-exports.ts';
import { saleOf } from '../sales/sale-of.ts';

/** Names of which some begin like others, and that sort before and after a slash. */
const CHANNELS = ['a', 'a-b', 'a.b', 'ab', 'b', 'shop', 'shop-2', 'shop_2', 'z'];

test('a sale is found whose channel is not named, and none other', async () => {
  const some = fc.subarray(CHANNELS, { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(some, some, async (named, sold) => {
      const database = await connect('sqlite::memory:');
      const workspace = await openWorkspace(database, 'entity');
      for (const channel of sold) {
        const owner = { entity: workspace.entity, channel, load: 1 };
        const rows = (['order', 'refund'] as const).map((kind) => {
          const sale = saleOf({ key: `${channel}/${kind}/1`, channel, kind, id: '1', lines: [] });
          return saleRow(owner, sale, { refunded: ZERO, file: 0, controls: '' });
        });
        await workspace.together((within) => putSales(within, rows));
      }
      const stray = sold.filter((name) => !named.includes(name));
      const found = await strayAmong(workspace, named);
      await database.close();
      if (stray.length === 0) expect(found).toBeUndefined();
      else expect(stray).toContain(found?.key.split('/')[0]);
    }),
    { numRuns: 60 },
  );
});

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
