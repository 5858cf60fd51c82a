import type { MigrationSet } from '../../database/migrate.ts';
import type { Schema } from '../../database/schema.ts';

/** A table as its columns with their types, `?` for those that may be null, and its primary key. */
const create = async (
  schema: Schema,
  name: string,
  columns: Readonly<Record<string, 'text' | 'integer' | 'text?' | 'integer?'>>,
  key: readonly string[],
): Promise<void> => {
  let table = schema.createTable(name);
  for (const [column, type] of Object.entries(columns)) {
    const sqlType = type.startsWith('text') ? schema.text : schema.integer;
    table = table.addColumn(column, sqlType as never, (definition) =>
      type.endsWith('?') ? definition : definition.notNull(),
    );
  }
  await table.addPrimaryKeyConstraint(`${name}_key`, key as never).execute();
};

const initial = async (schema: Schema): Promise<void> => {
  await create(schema, 'source_load', { entity: 'text', channel: 'text', digest: 'text' }, [
    'entity',
    'channel',
  ]);
  await create(
    schema,
    'source_file',
    {
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
    ['entity', 'channel', 'path'],
  );
  await create(
    schema,
    'sale',
    {
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
    ['entity', 'key'],
  );
  await schema.createIndex('sale_by_day').on('sale').columns(['entity', 'business_date', 'key']).execute();
  await create(
    schema,
    'set_aside',
    {
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
    ['entity', 'channel', 'file', 'line'],
  );
  await create(
    schema,
    'refund_date',
    {
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
    ['entity', 'channel', 'order_id', 'instant', 'amount', 'copy'],
  );
  await schema
    .createIndex('sale_by_reference')
    .on('sale')
    .columns(['entity', 'channel', 'reference'])
    .execute();
  await create(schema, 'calculation', { digest: 'text', service: 'text', request: 'text', result: 'text' }, [
    'digest',
  ]);
  await create(
    schema,
    'sale_calculation',
    {
      entity: 'text',
      key: 'text',
      sale_digest: 'text',
      context: 'text',
      basis: 'text',
      detail: 'text',
      calculation: 'text?',
      alternatives: 'text',
    },
    ['entity', 'key'],
  );
  await create(
    schema,
    'submission',
    {
      entity: 'text',
      key: 'text',
      service: 'text',
      body_digest: 'text',
      sale_digest: 'text',
      state: 'text',
      detail: 'text',
    },
    ['entity', 'key', 'service'],
  );
  await create(
    schema,
    'recorded',
    {
      entity: 'text',
      service: 'text',
      provider: 'text',
      kind: 'text',
      id: 'text',
      instant: 'integer',
      business_date: 'text',
      body: 'text',
    },
    ['entity', 'service', 'provider', 'kind', 'id'],
  );
  await schema
    .createIndex('recorded_by_instant')
    .on('recorded')
    .columns(['entity', 'service', 'provider', 'kind', 'instant'])
    .execute();
  await create(schema, 'reconciled', { entity: 'text', key: 'text', body: 'text' }, ['entity', 'key']);
  await create(
    schema,
    'run',
    {
      id: 'text',
      entity: 'text',
      pipeline: 'text',
      period: 'text',
      started: 'integer',
      finished: 'integer?',
      exit_code: 'integer?',
      figures: 'text',
    },
    ['id'],
  );
};

export const WORKSPACE_MIGRATIONS: MigrationSet = {
  name: 'workspace',
  steps: [{ name: '0001-initial', up: initial }],
};
