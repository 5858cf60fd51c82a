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
