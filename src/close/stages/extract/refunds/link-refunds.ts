import { isDeepStrictEqual } from 'node:util';
import type { Money } from '../../../../kernel/money.ts';
import { batchesOf } from '../../../../runtime/batches.ts';
import { refundedPartsOf, utcDateOfOrder } from '../../../sales/refunded-part.ts';
import type { Place, Sale } from '../../../sales/sale.ts';
import { nameOfKey, saleKey } from '../../../sales/sale-name.ts';
import { ordersOf, refundedOrders, refundsOfOrders } from '../../../workspace/load-refunds.ts';
import { putSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { saleRow } from '../../../workspace/sale-rows.ts';
import type { SaleRow } from '../../../workspace/tables.ts';
import { BATCH_ROWS } from '../../../workspace/workspace.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';

/**
 * Complete refunds that have rows of their own with what only their order knows: the day whose law and rates apply, the
 * exemption and customer, the destination if their rows have none, what they are a part of, and the day of the order in
 * UTC. Orders may come after their refunds in the files, so this step is the last.
 *
 * @param decided orders and refunds that were decided otherwise, whichever load last found them
 */
export const linkRefunds = async (load: OpenLoad, decided: readonly string[]): Promise<void> => {
  for await (const page of refundedOrders(load))
    await linkToOrders(
      load,
      page.map(({ reference }) => reference),
      ({ load: readBy }) => readBy === load.number,
    );
  const ids = new Set([...decided.map((key) => nameOfKey(key).id), ...(await ordersOf(load, decided))]);
  for (const some of batchesOf([...ids], BATCH_ROWS)) await linkToOrders(load, some, () => true);
};

/** Completes those refunds of some orders that are to be, with regard to all of them. */
const linkToOrders = (
  load: OpenLoad,
  ids: readonly string[],
  isToLink: (row: SaleRow) => boolean,
): Promise<void> =>
  load.workspace.together(async (within) => {
    const refunds = await refundsOfOrders({ ...load, workspace: within }, ids);
    const orderKey = (id: string): string => saleKey(load.channel.name, 'order', id);
    const sales = await salesByKey(within, [...refunds.map(({ key }) => key), ...ids.map(orderKey)]);
    const linked = [...Map.groupBy(refunds, ({ reference }) => reference)].flatMap(([id, rows]) => {
      const order = sales.get(orderKey(id));
      const own = rows.flatMap(({ key }) => sales.get(key) ?? []);
      const completed = order ? linkedTo(own, order) : new Map<string, Sale>();
      return rows.filter(isToLink).flatMap((row): SaleWithText[] => {
        const sale = completed.get(row.key);
        if (!sale || isDeepStrictEqual(sale, sales.get(row.key))) return [];
        const { refunded, file, controls } = row;
        const owner = { ...ownerOf(load), load: row.load };
        return [saleRow(owner, sale, { refunded: refunded as Money, file, controls })];
      });
    });
    await putSales(within, linked);
  });

/** Returns the refunds of an order, completed, by key. */
export const linkedTo = (refunds: readonly Sale[], order: Sale): ReadonlyMap<string, Sale> => {
  const own = refunds.map((refund) => withOrder(refund, order));
  const parts = refundedPartsOf(own, order);
  return new Map(
    own.map((refund, index) => {
      const partOf = parts[index];
      return [refund.key, { ...refund, ...(partOf && { partOf }) }];
    }),
  );
};

const withOrder = (refund: Sale, order: Sale): Sale => {
  const { partOf: _, orderUtcDate: __, ...own } = refund;
  return {
    ...own,
    // If a source states the tax date separately from the day of the refund, that date takes precedence.
    taxDate: refund.taxDate === refund.businessDate ? order.taxDate : refund.taxDate,
    shipTo: isNowhere(refund.shipTo) ? order.shipTo : refund.shipTo,
    customerId: order.customerId ?? refund.customerId,
    exemptionType: exemptionOfRefund(refund, order),
    ...utcDateOfOrder(order),
  };
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
