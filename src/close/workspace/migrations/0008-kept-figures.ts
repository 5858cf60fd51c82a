import type { Schema } from '../../../database/schema.ts';

const ADDED = [
  'taxable',
  'exempt',
  'resale',
  'marketplace',
  'marketplace_orders',
  'prepayments_left',
  'credits_left',
];

/** What a period's return leaves to the next, and what thresholds count of it; null where it was not kept. */
export const keptFigures = async (schema: Schema): Promise<void> => {
  for (const column of ADDED) {
    await schema.tables.schema
      .alterTable('period_state')
      .addColumn(column, schema.integer as never)
      .execute();
  }
};
