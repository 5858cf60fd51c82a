import { writeOrders, writeRefunds, writeShop } from '../support/shop.ts';

/** The exports that every kept workspace has read: three orders and a refund of October 2026. */
export const writeSchemaShop = async (folder: string): Promise<void> => {
  await writeOrders(folder, 'orders.csv', [
    { name: '#1' },
    { name: '#2', status: 'refunded', refunded: '110.75' },
    { name: '#3', price: '40.00', tax: '4.30' },
  ]);
  await writeRefunds(folder, 'refunds.csv', [
    { order: '#2', at: '2026-10-20 09:00:00 -0700', amount: '110.75' },
  ]);
  await writeShop(folder, ['orders.csv'], ['refunds.csv']);
};
