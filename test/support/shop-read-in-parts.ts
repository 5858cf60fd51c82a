import { writeOrders, writeShop } from './shop.ts';
import { temporaryFolder } from './tieout.ts';

const ORDERS = Array.from({ length: 400 }, (_, index) => ({ name: `#${1001 + index}` }));

/** The folder of a shop whose export is so large that workers read it in parts where a batch has one item. */
export const shopReadInParts = async (databases = ''): Promise<string> => {
  const folder = await temporaryFolder();
  await writeOrders(folder, 'orders.csv', ORDERS);
  await writeShop(folder, ['orders.csv'], [], databases);
  return folder;
};
