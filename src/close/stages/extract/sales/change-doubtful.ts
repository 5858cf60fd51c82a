import { pagesBy } from '../../../../database/pages.ts';
import type { Money } from '../../../../kernel/money.ts';
import type { Sale } from '../../../sales/sale.ts';
import { putSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { isOf } from '../../../workspace/sale-key.ts';
import { saleRow } from '../../../workspace/sale-rows.ts';
import { BATCH_ROWS } from '../../../workspace/workspace.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';

/**
 * Go through the sales of a load that were not simply accepted, page by page.
 *
 * @param changed a sale as it is to be from now on; `undefined` where it stays as it is
 */
export const changeDoubtful = async (
  load: OpenLoad,
  changed: (sale: Sale) => Sale | undefined,
): Promise<void> => {
  const { workspace, channel } = load;
  const pages = pagesBy(
    workspace.tables
      .selectFrom('sale')
      .selectAll()
      .where('entity', '=', workspace.entity)
      .where(isOf(channel.name))
      .where('load', '=', load.number)
      .where('outcome', '<>', 'accepted'),
    ['key'],
    BATCH_ROWS,
  );
  for await (const page of pages) {
    const sales = await salesByKey(
      workspace,
      page.map(({ key }) => key),
    );
    const drafts = page.flatMap(({ key, refunded, file, controls }): SaleWithText[] => {
      const sale = changed(sales.get(key) as Sale);
      const more = { refunded: refunded as Money, file, controls };
      return sale ? [saleRow(ownerOf(load), sale, more)] : [];
    });
    await workspace.together((tables) => putSales(workspace, drafts, tables));
  }
};
