import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { WORKSPACE_MIGRATIONS } from '../../src/close/workspace/migrations.ts';
import { connect } from '../../src/database/connect.ts';
import { type MigrationSet, migrate } from '../../src/database/migrate.ts';
import { LEDGER_MIGRATIONS } from '../../src/service/ledger/migrations.ts';
import { closeHere } from '../support/close-here.ts';
import { writeSchemaShop } from './schema-shop.ts';
import { sqlDumpOf } from './sql-dump.ts';

/** `npm run keep:schemas`: a database of each schema version that is not kept yet, with the rows of a close. */

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** Migrate a new file up to a step, and give it the rows of today's tables as far as it has their columns. */
const fileOfVersion = async (path: string, set: MigrationSet, last: number, today: string): Promise<void> => {
  const database = await connect(`sqlite:${path}`);
  await migrate(database, { ...set, steps: set.steps.slice(0, last + 1) });
  await database.close();
  const file = new DatabaseSync(path);
  file.exec(`attach '${today}' as today`);
  const tables = file.prepare(`select name from main.sqlite_schema where type = 'table'`).all();
  for (const { name } of tables) {
    if (String(name).startsWith('sqlite_') || String(name).includes('_migration')) continue;
    const columns = file
      .prepare(`select name from pragma_table_info('${String(name)}')`)
      .all()
      .map((column) => `"${String(column['name'])}"`)
      .join(', ');
    file.exec(
      `insert into main."${String(name)}" (${columns}) select ${columns} from today."${String(name)}"`,
    );
  }
  file.exec(`update ${set.name}_migration set timestamp = '2026-11-02T00:00:00.000Z'`);
  file.exec('detach today; pragma journal_mode = delete');
  file.close();
};

const folder = await mkdtemp(join(tmpdir(), 'tieout-schemas-'));
try {
  await writeSchemaShop(folder);
  await closeHere(folder);
  for (const set of [WORKSPACE_MIGRATIONS, LEDGER_MIGRATIONS]) {
    for (const [index, { name }] of set.steps.entries()) {
      const kept = join(HERE, `${set.name}-${name}.sql`);
      if (existsSync(kept)) continue;
      const path = join(folder, `${set.name}-${name}.db`);
      await fileOfVersion(path, set, index, join(folder, '.tieout', `${set.name}.db`));
      await writeFile(kept, sqlDumpOf(path).replaceAll(folder, '/shop'));
      process.stdout.write(`${kept}\n`);
    }
  }
} finally {
  await rm(folder, { recursive: true });
}
