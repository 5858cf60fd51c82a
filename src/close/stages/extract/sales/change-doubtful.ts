import { afterKey } from '../../../../database/after-key.ts';
import { pagesOf } from '../../../../database/pages.ts';
import type { Money } from '../../../../kernel/money.ts';
import type { Sale } from '../../../sales/sale.ts';
import { putSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { isOf } from '../../../workspace/sale-key.ts';
import { saleRow } from '../../../workspace/sale-rows.ts';
import type { SaleRow } from '../../../workspace/tables.ts';
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
  const pages = pagesOf<SaleRow>(BATCH_ROWS, (after, rowsMax) =>
    workspace.tables
      .selectFrom('sale')
      .selectAll()
      .where('entity', '=', workspace.entity)
      .where(isOf(channel.name))
      .where('load', '=', load.number)
      .where('outcome', '<>', 'accepted')
      .$if(after !== undefined, (query) => query.where(afterKey({ key: after?.key ?? '' })))
      .orderBy('key')
      .limit(rowsMax)
      .execute(),
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
