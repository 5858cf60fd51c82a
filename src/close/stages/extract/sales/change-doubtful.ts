import type { Money } from '../../../../kernel/money.ts';
import type { Sale } from '../../../sales/sale.ts';
import { doubtfulSales } from '../../../workspace/load-sales.ts';
import { putSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { saleRow } from '../../../workspace/sale-rows.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';

/**
 * Go through the sales of a load with an outcome other than accepted, page by page.
 *
 * @param changed returns the changed sale; `undefined` if it stays as it is
 */
export const changeDoubtful = async (
  load: OpenLoad,
  changed: (sale: Sale) => Sale | undefined | Promise<Sale | undefined>,
): Promise<void> => {
  const { workspace } = load;
  for await (const page of doubtfulSales(load)) {
    const sales = await salesByKey(
      workspace,
      page.map(({ key }) => key),
    );
    const drafts: SaleWithText[] = [];
    for (const { key, refunded, file, controls } of page) {
      const sale = await changed(sales.get(key) as Sale);
      const more = { refunded: refunded as Money, file, controls };
      if (sale) drafts.push(saleRow(ownerOf(load), sale, more));
    }
    await workspace.together((within) => putSales(within, drafts));
  }
};
