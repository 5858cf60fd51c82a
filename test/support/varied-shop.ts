import { writeOrders, writeRefunds, writeShop } from './shop.ts';
import type { Order } from './shop-exports.ts';
import { temporaryFolder } from './tieout.ts';

/**
 * A folder with a shop and its orders of October: a third ask the same, the others do not, one in seventeen was charged
 * wrongly, and the first two came back. All are of one day, unless `dayOf` has others for them.
 */
export const variedShop = async ({
  count,
  dayOf = () => 10,
  settings = '',
}: {
  readonly count: number;
  readonly dayOf?: (index: number) => number;
  /** More lines of the configuration. */
  readonly settings?: string;
}): Promise<string> => {
  const folder = await temporaryFolder();
  const orders = Array.from(
    { length: count },
    (_, index): Order => ({
      name: `#${1001 + index}`,
      at: `2026-10-${String(dayOf(index)).padStart(2, '0')} 09:00:00 -0700`,
      ...(3 * index >= count && { price: `${4 * index}.00`, tax: (0.43 * index).toFixed(2) }),
      ...(index % 17 === 5 && { tax: '9.99' }),
      ...(index < 2 && { status: 'refunded', refunded: '110.75' }),
    }),
  );
  const refunds = orders
    .slice(0, 2)
    .map(({ name }) => ({ order: name, at: '2026-10-12 12:00:00 -0700', amount: '110.75' }));
  await writeOrders(folder, 'orders.csv', orders);
  await writeRefunds(folder, 'refunds.csv', refunds);
  await writeShop(folder, ['orders.csv'], ['refunds.csv'], settings);
  return folder;
};
