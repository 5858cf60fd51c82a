import type { Schema } from '../../../database/schema.ts';
import { createTable, type Table } from './create-table.ts';

/** What is filed stays filed: closings, locks, what they froze, and what arrived after them. */
const PERIODS: Readonly<Record<string, Table>> = {
  closing: {
    columns: {
      entity: 'text',
      period: 'text',
      first: 'text',
      last: 'text',
      folder: 'text',
      content: 'text',
      configuration: 'text',
      program: 'text',
      service: 'text',
      clean: 'integer',
      files: 'text',
      report: 'text',
    },
    key: ['entity', 'period'],
  },
  period_lock: {
    columns: {
      entity: 'text',
      label: 'text',
      period: 'text',
      version: 'integer',
      first: 'text',
      last: 'text',
      state: 'text',
      digest: 'text',
      body: 'text',
      report: 'text',
    },
    key: ['entity', 'label'],
  },
  filed_sale: {
    columns: {
      entity: 'text',
      key: 'text',
      label: 'text',
      filed_on: 'text',
      source: 'text',
      corrects: 'text',
      posting: 'text',
      body: 'text',
      digest: 'text',
      figures: 'text?',
    },
    key: ['entity', 'key'],
  },
  kept_file: {
    columns: { entity: 'text', label: 'text', path: 'text', part: 'integer', content: 'text' },
    key: ['entity', 'label', 'path', 'part'],
  },
  carried_sale: {
    columns: {
      entity: 'text',
      key: 'text',
      filed_on: 'text',
      amendment: 'text',
      source: 'text',
      corrects: 'text',
      business_date: 'text',
      posting: 'text',
      body: 'text',
      digest: 'text',
      takes_back: 'text?',
    },
    key: ['entity', 'key'],
  },
  late_decision: {
    columns: {
      entity: 'text',
      number: 'integer',
      period: 'text',
      key: 'text',
      choice: 'text',
      destination: 'text',
      content: 'text',
      decided: 'integer',
      who: 'text',
      why: 'text',
    },
    key: ['entity', 'number'],
  },
  period_event: {
    columns: {
      entity: 'text',
      number: 'integer',
      period: 'text',
      what: 'text',
      at: 'integer',
      who: 'text',
      why: 'text',
      digest: 'text',
    },
    key: ['entity', 'number'],
  },
};

const INDEXES: readonly (readonly [name: string, table: string, columns: string[]])[] = [
  ['filed_sale_by_label', 'filed_sale', ['entity', 'label', 'filed_on', 'key']],
  ['carried_sale_by_day', 'carried_sale', ['entity', 'filed_on', 'key']],
];

export const periods = async (schema: Schema): Promise<void> => {
  for (const [name, table] of Object.entries(PERIODS)) await createTable(schema, name, table);
  for (const [name, table, columns] of INDEXES) {
    await schema.createIndex(name).on(table).columns(columns).execute();
  }
};
