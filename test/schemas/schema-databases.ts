import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The databases of a shop, which are named like the sets of their schema steps. */
export const DATABASES = ['workspace', 'ledger'] as const;
export type DatabaseName = (typeof DATABASES)[number];

export const databaseIn = (folder: string, name: DatabaseName): string =>
  join(folder, '.tieout', `${name}.db`);

/** The steps that a database has taken, oldest first. */
export const stepsOf = (path: string, name: DatabaseName): readonly string[] => {
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    return file
      .prepare(`select name from ${name}_migration order by name`)
      .all()
      .map((row) => String(row['name']));
  } finally {
    file.close();
  }
};
