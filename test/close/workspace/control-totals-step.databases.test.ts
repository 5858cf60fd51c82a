import { expect, test } from 'vitest';
import { WORKSPACE_MIGRATIONS } from '../../../src/close/workspace/migrations.ts';
import type { WorkspaceTables } from '../../../src/close/workspace/tables.ts';
import { openWorkspace } from '../../../src/close/workspace/workspace.ts';
import { connect } from '../../../src/database/connect.ts';
import { migrate } from '../../../src/database/migrate.ts';
import { onEveryDatabase } from '../../support/databases.ts';

onEveryDatabase(({ newUrl }) => {
  test('a workspace from before the control totals has every channel read once more', async () => {
    const database = await connect(await newUrl());
    const { name, steps } = WORKSPACE_MIGRATIONS;
    await migrate(database, { name, steps: steps.slice(0, 1) });
    await database
      .tables<WorkspaceTables>()
      .insertInto('source_load')
      .values({ entity: 'shop', channel: 'shopify', digest: 'as it was' })
      .execute();
    const { tables } = await openWorkspace(database, 'shop');
    expect(await tables.selectFrom('source_load').selectAll().execute()).toEqual([]);
    expect(await tables.selectFrom('sale').select(['outcome', 'controls']).execute()).toEqual([]);
    await database.close();
  });
});
