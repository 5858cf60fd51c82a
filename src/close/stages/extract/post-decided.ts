import { afterKey } from '../../../database/after-key.ts';
import { pagesOf } from '../../../database/pages.ts';
import type { Money } from '../../../kernel/money.ts';
import { decisionIndexOf, decisionsOf } from '../../configuration/decisions-of.ts';
import { codeOf } from '../../reconcile/exceptions.ts';
import { canBePosted } from '../../reconcile/finding.ts';
import type { Sale } from '../../sales/sale.ts';
import { putSales, type SaleWithText, salesByKey } from '../../workspace/put-sales.ts';
import { saleRow } from '../../workspace/sale-rows.ts';
import type { SaleRow } from '../../workspace/tables.ts';
import { BATCH_ROWS } from '../../workspace/workspace.ts';
import { type ChannelLoad, ownerOf } from './channel-load.ts';

/** Sales that were held, and that a person decided to post as they stand, count as sales with a warning. */
export const postDecided = async (load: ChannelLoad): Promise<void> => {
  const { workspace, channel, configuration } = load;
  if (decisionsOf(configuration).every(({ verdict }) => verdict !== 'post')) return;
  const decisions = decisionIndexOf(configuration);
  const isPosted = ({ outcome, remarks: [reason], origin, id }: Sale): boolean => {
    if (outcome !== 'review' || !reason || !canBePosted(reason.code)) return false;
    const found = decisions.ofRecord([origin.record, id], [codeOf(reason)]);
    return found.some(({ verdict }) => verdict === 'post');
  };
  const pages = pagesOf<SaleRow>(BATCH_ROWS, (after, rowsMax) =>
    workspace.tables
      .selectFrom('sale')
      .selectAll()
      .where('entity', '=', workspace.entity)
      .where('channel', '=', channel.name)
      .where('load', '=', load.load)
      .where('outcome', '=', 'review')
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
    const posted = page.flatMap((row): SaleWithText[] => {
      const sale = sales.get(row.key) as Sale;
      if (!isPosted(sale)) return [];
      const { controls } = row;
      const more = { refunded: row.refunded as Money, isDerived: false, controls };
      return [saleRow(ownerOf(load), { ...sale, outcome: 'warning' }, more)];
    });
    await workspace.together((tables) => putSales(workspace, posted, tables));
  }
};
