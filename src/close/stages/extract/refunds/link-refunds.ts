import type { Money } from '../../../../kernel/money.ts';
import type { Place, Sale } from '../../../sales/sale.ts';
import { namedRefunds } from '../../../workspace/load-sales.ts';
import { putSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { saleRow } from '../../../workspace/sale-rows.ts';
import type { SaleRow } from '../../../workspace/tables.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';

/**
 * A refund that has rows of its own takes from its order what only the order knows: the day whose law and rates
 * apply, the exemption and the customer it rests on, and the destination where its rows name none. Orders may stand
 * behind their refunds, so this comes last.
 *
 * @param keys the refunds that were read; all of the load when absent
 */
export const linkRefunds = async (load: OpenLoad, keys?: ReadonlySet<string>): Promise<void> => {
  const { workspace } = load;
  for await (const all of namedRefunds(load)) {
    const page = all.filter(({ key }) => keys?.has(key) ?? true);
    await workspace.together(async (within) => {
      const sales = await salesByKey(
        within,
        page.flatMap((row) => [row.key, orderKey(load, row)]),
      );
      const linked = page.flatMap((row): SaleWithText[] => {
        const order = sales.get(orderKey(load, row));
        const sale = order && linkedTo(sales.get(row.key) as Sale, order);
        return sale
          ? [
              saleRow(ownerOf(load), sale, {
                refunded: row.refunded as Money,
                file: row.file,
                controls: row.controls,
              }),
            ]
          : [];
      });
      await putSales(within, linked);
    });
  }
};

const orderKey = ({ channel }: OpenLoad, { reference }: SaleRow): string =>
  `${channel.name}/order/${reference}`;

/** `undefined` when the order adds nothing to what the refund says. */
const linkedTo = (refund: Sale, order: Sale): Sale | undefined => {
  // A source that tells the day of the law apart from that of the refund knows better.
  const taxDate = refund.taxDate === refund.businessDate ? order.taxDate : refund.taxDate;
  const shipTo = isNowhere(refund.shipTo) ? order.shipTo : refund.shipTo;
  const customerId = order.customerId ?? refund.customerId;
  const exemptionType = exemptionOfRefund(refund, order);
  const linked = { ...refund, taxDate, shipTo, customerId, exemptionType };
  const isSame = (Object.keys(linked) as (keyof Sale)[]).every((field) => linked[field] === refund[field]);
  return isSame ? undefined : linked;
};

/** A refund mirrors its order, whatever its own row says; who remits the tax is told by each of them. */
const exemptionOfRefund = (refund: Sale, order: Sale): Sale['exemptionType'] =>
  refund.exemptionType === 'marketplace' || order.exemptionType === 'marketplace'
    ? refund.exemptionType
    : order.exemptionType;

const isNowhere = ({ state, zip, city }: Place): boolean => state === '' && zip === '' && city === '';
