import { isDeepStrictEqual } from 'node:util';
import type { Money } from '../../../../kernel/money.ts';
import { refundedPartOf, utcDateOfOrder } from '../../../sales/refunded-part.ts';
import type { Place, Sale } from '../../../sales/sale.ts';
import { namedRefunds } from '../../../workspace/load-sales.ts';
import { putSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { saleRow } from '../../../workspace/sale-rows.ts';
import type { SaleRow } from '../../../workspace/tables.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';

/**
 * Complete refunds that have rows of their own with what only their order knows: the day whose law and rates apply, the
 * exemption and customer, the destination if their rows have none, what they are a part of, and the day of the order in
 * UTC. Orders may come after
 * their refunds in the files, so this step is the last.
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

/** Returns `undefined` when the order adds nothing to the refund. */
const linkedTo = (refund: Sale, order: Sale): Sale | undefined => {
  // If a source states the tax date separately from the day of the refund, that date takes precedence.
  const taxDate = refund.taxDate === refund.businessDate ? order.taxDate : refund.taxDate;
  const shipTo = isNowhere(refund.shipTo) ? order.shipTo : refund.shipTo;
  const customerId = order.customerId ?? refund.customerId;
  const exemptionType = exemptionOfRefund(refund, order);
  const { partOf: _, orderUtcDate: __, ...own } = { ...refund, taxDate, shipTo, customerId, exemptionType };
  const partOf = refundedPartOf(own, order);
  const linked = { ...own, ...(partOf && { partOf }), ...utcDateOfOrder(order) };
  return isDeepStrictEqual(linked, refund) ? undefined : linked;
};

/**
 * A refund takes the exemption of its order, whatever its own row says. If either is a marketplace sale, it keeps its
 * own.
 */
const exemptionOfRefund = (refund: Sale, order: Sale): Sale['exemptionType'] =>
  refund.exemptionType === 'marketplace' || order.exemptionType === 'marketplace'
    ? refund.exemptionType
    : order.exemptionType;

const isNowhere = ({ state, zip, city }: Place): boolean => state === '' && zip === '' && city === '';
