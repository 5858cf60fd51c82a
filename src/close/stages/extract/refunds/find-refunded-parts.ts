import type { Money } from '../../../../kernel/money.ts';
import { batchesOf } from '../../../../runtime/batches.ts';
import { partsOfRefunds } from '../../../sales/part-of-refund.ts';
import type { Sale } from '../../../sales/sale.ts';
import { nameOfKey } from '../../../sales/sale-name.ts';
import { refundsOfOrders } from '../../../workspace/load-refunds.ts';
import { shipmentKeys } from '../../../workspace/load-sales.ts';
import { putSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { saleRow } from '../../../workspace/sale-rows.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';

/**
 * Link the refunds of orders in several parts to the part that each gives back, whichever month and load the parts are
 * from, and hold those of which it is not known. Only refunds that this load has read are linked, since the others were
 * linked before.
 */
export const findRefundedParts = async (load: OpenLoad): Promise<void> => {
  const { workspace } = load;
  const shipments = Map.groupBy(await shipmentKeys(load), (key) => key.replace(/-S\d+$/, ''));
  for (const batch of batchesOf([...shipments], ORDERS_AT_ONCE)) {
    const orders = batch.map(([first, further]) => [first, ...further]);
    const rows = await refundsOfOrders(load, orders.flat().map(idOfKey));
    if (rows.every(({ load: seenBy }) => seenBy !== load.number)) continue;
    await workspace.together(async (within) => {
      const sales = await salesByKey(within, [...orders.flat(), ...rows.map(({ key }) => key)]);
      const known = (keys: readonly string[]): Sale[] => keys.flatMap((key) => sales.get(key) ?? []);
      const ofRefund = new Map(rows.map((row) => [row.key, row]));
      const linked = orders.flatMap((keys): SaleWithText[] => {
        const [first = ''] = keys.map(idOfKey);
        const own = new Set(keys.map(idOfKey));
        const refunds = known(rows.flatMap(({ key, reference }) => (own.has(reference) ? key : [])));
        const isOpen = ({ key, reference }: Sale): boolean =>
          reference === first && ofRefund.get(key)?.load === load.number;
        const parts = known(keys).sort((one, other) => one.instant - other.instant);
        return partsOfRefunds(parts, refunds, isOpen).map((refund) => {
          const { refunded, file, controls } = ofRefund.get(refund.key) as (typeof rows)[number];
          return saleRow(ownerOf(load), refund, { refunded: refunded as Money, file, controls });
        });
      });
      await putSales(within, linked);
    });
  }
};

/** Orders in several parts whose refunds are read at once. */
const ORDERS_AT_ONCE = 300;

const idOfKey = (key: string): string => nameOfKey(key).id;
