import { isDeepStrictEqual } from 'node:util';
import type { Money } from '../../../../kernel/money.ts';
import { batchesOf } from '../../../../runtime/batches.ts';
import { refundedPartsOf, utcDateOfOrder } from '../../../sales/refunded-part.ts';
import type { Place, Sale } from '../../../sales/sale.ts';
import { nameOfKey, saleKey } from '../../../sales/sale-name.ts';
import {
  namedRefunds,
  ordersOf,
  refundsOfOneOrder,
  refundsOfOrders,
} from '../../../workspace/load-refunds.ts';
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
 * @param read the records that were read, and the orders to which refunds among them belonged before; all of the load
 *   when absent
 * @param decided orders and refunds that were decided otherwise, whichever load last found them
 */
export const linkRefunds = async (
  load: OpenLoad,
  read: ReadRefunds | undefined,
  decided: readonly string[],
): Promise<void> => {
  const several = await refundsOfOneOrder(load);
  const orders = read && new Set([...read.refunded, ...(await ordersOf(load, [...read.keys]))]);
  for await (const all of namedRefunds(load))
    await linkRows(
      load,
      several,
      all.filter(({ reference }) => orders?.has(reference) ?? true),
    );
  const ids = new Set([...decided.map((key) => nameOfKey(key).id), ...(await ordersOf(load, decided))]);
  for (const some of batchesOf([...ids], BATCH_ROWS))
    await linkRows(load, several, await refundsOfOrders(load, some));
};

const linkRows = (
  load: OpenLoad,
  several: Awaited<ReturnType<typeof refundsOfOneOrder>>,
  refunds: readonly SaleRow[],
): Promise<void> =>
  load.workspace.together(async (within) => {
    const together = Map.groupBy(refunds, ({ reference }) => reference);
    const sales = await salesByKey(within, [
      ...refunds.map(({ key }) => key),
      ...[...together.keys()].flatMap((id) => [
        orderKey(load, id),
        ...(several.get(id) ?? []).map(({ key }) => key),
      ]),
    ]);
    const linked = [...together].flatMap(([id, rows]) => {
      const order = sales.get(orderKey(load, id));
      const own = (several.get(id) ?? rows).flatMap(({ key }) => sales.get(key) ?? []);
      const completed = order ? linkedTo(own, order) : new Map<string, Sale>();
      return rows.flatMap((row): SaleWithText[] => {
        const sale = completed.get(row.key);
        if (!sale || isDeepStrictEqual(sale, sales.get(row.key))) return [];
        const { refunded, file, controls } = row;
        const owner = { ...ownerOf(load), load: row.load };
        return [saleRow(owner, sale, { refunded: refunded as Money, file, controls })];
      });
    });
    await putSales(within, linked);
  });

type ReadRefunds = { readonly keys: ReadonlySet<string>; readonly refunded: ReadonlySet<string> };

const orderKey = ({ channel }: OpenLoad, id: string): string => saleKey(channel.name, 'order', id);

/** Returns the refunds of an order, completed, by key. */
const linkedTo = (refunds: readonly Sale[], order: Sale): ReadonlyMap<string, Sale> => {
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
