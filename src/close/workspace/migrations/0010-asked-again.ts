import type { Schema } from '../../../database/schema.ts';
import { createTable } from './create-table.ts';

/** What a run that asks everything again has been answered so far. Empty when none was cut off. */
export const askedAgain = (schema: Schema): Promise<void> =>
  createTable(schema, 'asked_again', {
    columns: { entity: 'text', digest: 'text' },
    key: ['entity', 'digest'],
  });
