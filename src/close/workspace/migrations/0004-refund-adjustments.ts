import type { Schema } from '../../../database/schema.ts';
import { createTable } from './create-table.ts';

/** Further refunds that bring a recorded refund to what its export says now. */
export const refundAdjustments = async (schema: Schema): Promise<void> => {
  await createTable(schema, 'refund_adjustment', {
    columns: {
      entity: 'text',
      service: 'text',
      provider: 'text',
      id: 'text',
      key: 'text',
      body: 'text',
      state: 'text',
    },
    key: ['entity', 'service', 'provider', 'id'],
  });
  await schema
    .createIndex('refund_adjustment_by_key')
    .on('refund_adjustment')
    .columns(['entity', 'service', 'key'])
    .execute();
};
