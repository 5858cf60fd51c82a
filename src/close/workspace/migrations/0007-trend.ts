import type { Schema } from '../../../database/schema.ts';
import { createTable } from './create-table.ts';

export const trend = (schema: Schema): Promise<void> =>
  createTable(schema, 'period_state', {
    columns: {
      entity: 'text',
      period: 'text',
      state: 'text',
      orders: 'integer',
      refunds: 'integer',
      gross: 'integer',
      collected: 'integer',
      expected: 'integer',
    },
    key: ['entity', 'period', 'state'],
  });
