import { writeMonth } from '../support/write-month.ts';

/** The exports that every kept workspace has read: three orders and a refund of October 2026. */
export const writeSchemaShop = (folder: string): Promise<void> =>
  writeMonth(folder, {
    orders: [
      { name: '#1' },
      { name: '#2', status: 'refunded', refunded: '110.75' },
      { name: '#3', price: '40.00' },
    ],
    refunds: [{ order: '#2', at: '2026-10-20 09:00:00 -0700' }],
  });
