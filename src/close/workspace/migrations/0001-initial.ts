import type { Schema } from '../../../database/schema.ts';
import { createTable, type Table } from './create-table.ts';

/** The tables as they were first made; `tables.ts` says what their columns mean. */
const INITIAL: Readonly<Record<string, Table>> = {
  source_load: { columns: { entity: 'text', channel: 'text', digest: 'text' }, key: ['entity', 'channel'] },
  source_file: {
    columns: {
      entity: 'text',
      channel: 'text',
      path: 'text',
      sha256: 'text',
      bytes: 'integer',
      profile: 'text',
      header: 'text',
      rows: 'integer',
      used: 'integer',
      ignored: 'integer',
      rejected: 'integer',
    },
    key: ['entity', 'channel', 'path'],
  },
  sale: {
    columns: {
      entity: 'text',
      key: 'text',
      channel: 'text',
      kind: 'text',
      id: 'text',
      business_date: 'text',
      instant: 'integer',
      posting: 'text',
      body: 'text',
      digest: 'text',
      reference: 'text',
      refunded: 'integer',
      derived: 'integer',
      load: 'text',
      file: 'text',
      line: 'integer',
    },
    key: ['entity', 'key'],
  },
  set_aside: {
    columns: {
      entity: 'text',
      channel: 'text',
      file: 'text',
      line: 'integer',
      record: 'text',
      outcome: 'text',
      code: 'text',
      business_date: 'text?',
      body: 'text',
    },
    key: ['entity', 'channel', 'file', 'line'],
  },
  refund_date: {
    columns: {
      entity: 'text',
      channel: 'text',
      order_id: 'text',
      instant: 'integer',
      amount: 'integer',
      copy: 'integer',
      file: 'text',
      line: 'integer',
      load: 'text',
    },
    key: ['entity', 'channel', 'order_id', 'instant', 'amount', 'copy'],
  },
  calculation: {
    columns: { digest: 'text', service: 'text', request: 'text', result: 'text' },
    key: ['digest'],
  },
  sale_calculation: {
    columns: {
      entity: 'text',
      key: 'text',
      sale_digest: 'text',
      context: 'text',
      basis: 'text',
      detail: 'text',
      calculation: 'text?',
      alternatives: 'text',
    },
    key: ['entity', 'key'],
  },
  submission: {
    columns: {
      entity: 'text',
      key: 'text',
      service: 'text',
      body_digest: 'text',
      sale_digest: 'text',
      state: 'text',
      detail: 'text',
    },
    key: ['entity', 'key', 'service'],
  },
  recorded: {
    columns: {
      entity: 'text',
      service: 'text',
      provider: 'text',
      kind: 'text',
      id: 'text',
      instant: 'integer',
      business_date: 'text',
      body: 'text',
    },
    key: ['entity', 'service', 'provider', 'kind', 'id'],
  },
  reconciled: { columns: { entity: 'text', key: 'text', body: 'text' }, key: ['entity', 'key'] },
  run: {
    columns: {
      id: 'text',
      entity: 'text',
      pipeline: 'text',
      period: 'text',
      started: 'integer',
      finished: 'integer?',
      exit_code: 'integer?',
      figures: 'text',
    },
    key: ['id'],
  },
};

const INITIAL_INDEXES: readonly (readonly [name: string, table: string, columns: string[]])[] = [
  ['sale_by_day', 'sale', ['entity', 'business_date', 'key']],
  ['sale_by_reference', 'sale', ['entity', 'channel', 'reference']],
  ['recorded_by_instant', 'recorded', ['entity', 'service', 'provider', 'kind', 'instant']],
];

export const initial = async (schema: Schema): Promise<void> => {
  for (const [name, table] of Object.entries(INITIAL)) await createTable(schema, name, table);
  for (const [name, table, columns] of INITIAL_INDEXES) {
    await schema.createIndex(name).on(table).columns(columns).execute();
  }
};
