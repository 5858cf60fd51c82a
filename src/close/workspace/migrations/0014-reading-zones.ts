import type { Schema } from '../../../database/schema.ts';
import { createTable } from './create-table.ts';

/** The time zones in which the exports of a channel were ever read. Of earlier loads they are not known. */
export const readingZones = (schema: Schema): Promise<void> =>
  createTable(schema, 'reading_zone', {
    columns: { entity: 'text', channel: 'text', time_zone: 'text', channel_zone: 'text' },
    key: ['entity', 'channel', 'time_zone', 'channel_zone'],
  });
