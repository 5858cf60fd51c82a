import type { Schema } from '../../../database/schema.ts';
import { createTable } from './create-table.ts';

export const approvals = (schema: Schema): Promise<void> =>
  createTable(schema, 'approval', {
    columns: {
      entity: 'text',
      period: 'text',
      content_digest: 'text',
      role: 'text',
      name: 'text',
      at: 'integer',
    },
    key: ['entity', 'period', 'content_digest', 'role'],
  });
