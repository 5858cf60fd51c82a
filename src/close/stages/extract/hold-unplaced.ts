import { afterKey } from '../../../database/after-key.ts';
import { pagesOf } from '../../../database/pages.ts';
import type { Money } from '../../../kernel/money.ts';
import { SOLD_IN_PERSON } from '../../sales/read-ship-to.ts';
import type { Remark, Sale } from '../../sales/sale.ts';
import { putSales, type SaleWithText, salesByKey } from '../../workspace/put-sales.ts';
import { saleRow } from '../../workspace/sale-rows.ts';
import type { SaleRow } from '../../workspace/tables.ts';
import { BATCH_ROWS } from '../../workspace/workspace.ts';
import { type ChannelLoad, ownerOf } from './channel-load.ts';

/**
 * Without configured places a seller has one shop, where it is. Exports that name several prove otherwise: then no
 * sale in person is known to have happened there, and each of them is held until the places have addresses.
 *
 * @param names the places of business that the files of this load name
 */
export const holdUnplaced = async (load: ChannelLoad, names: ReadonlySet<string>): Promise<void> => {
  const { workspace, channel } = load;
  if (names.size < 2 || Object.keys(channel.locations).length > 0) return;
  const list = [...names].sort().join(', ');
  const message = `the exports name ${names.size} places of business (${list}), and the channel has no \`locations\`: give each of them its address there`;
  const doubt: Remark = { code: 'unknown-location', message };
  const pages = pagesOf<SaleRow>(BATCH_ROWS, (after, rowsMax) =>
    workspace.tables
      .selectFrom('sale')
      .selectAll()
      .where('entity', '=', workspace.entity)
      .where('channel', '=', channel.name)
      .where('load', '=', load.load)
      .where('outcome', '<>', 'accepted')
      .where(afterKey({ key: after?.key ?? `${channel.name}/` }))
      .orderBy('key')
      .limit(rowsMax)
      .execute(),
  );
  for await (const page of pages) {
    const sales = await salesByKey(
      workspace,
      page.map(({ key }) => key),
    );
    const held = page.flatMap((row): SaleWithText[] => {
      const sale = sales.get(row.key) as Sale;
      const others = sale.remarks.filter(({ code }) => code !== SOLD_IN_PERSON);
      if (others.length === sale.remarks.length) return [];
      const inReview: Sale = { ...sale, outcome: 'review', remarks: [doubt, ...others] };
      const { controls } = row;
      return [
        saleRow(ownerOf(load), inReview, { refunded: row.refunded as Money, isDerived: false, controls }),
      ];
    });
    await workspace.together((tables) => putSales(workspace, held, tables));
  }
};
