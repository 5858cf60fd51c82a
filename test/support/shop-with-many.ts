import { writeOrders, writeShop } from './shop.ts';
import { temporaryFolder } from './tieout.ts';

const ORDERS = Array.from({ length: 400 }, (_, index) => ({ name: `#${1001 + index}` }));

/** The folder of a shop whose export is so large that workers write its pages where a batch has one item. */
export const shopWithMany = async (databases = ''): Promise<string> => {
  const folder = await temporaryFolder();
  await writeOrders(folder, 'orders.csv', ORDERS);
  await writeShop(folder, ['orders.csv'], [], databases);
  return folder;
};
