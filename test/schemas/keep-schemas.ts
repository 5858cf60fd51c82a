import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { closeHere } from '../support/close-here.ts';
import { DATABASES, databaseIn, stepsOf } from './schema-databases.ts';
import { writeSchemaShop } from './schema-shop.ts';
import { sqlDumpOf } from './sql-dump.ts';

/** `npm run keep:schemas`: the databases of a close, when their newest schema version is not kept yet. */

const HERE = fileURLToPath(new URL('.', import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'tieout-schemas-'));
try {
  await writeSchemaShop(folder);
  await closeHere(folder);
  for (const name of DATABASES) {
    const path = databaseIn(folder, name);
    const kept = join(HERE, `${name}-${stepsOf(path, name).at(-1)}.sql`);
    if (existsSync(kept)) continue;
    const file = new DatabaseSync(path);
    file.exec(`update ${name}_migration set timestamp = '2026-11-02T00:00:00.000Z'`);
    file.close();
    await writeFile(kept, sqlDumpOf(path).replaceAll(folder, '/shop'));
    process.stdout.write(`${kept}\n`);
  }
} finally {
  await rm(folder, { recursive: true });
}
