import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';

/** A SQLite file as SQL text that makes it again: its owner, its tables with their rows, its indexes and triggers. */
export const sqlDumpOf = (path: string): string => {
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const parts = file
      .prepare(`select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%'
        order by type = 'trigger', type desc, name`)
      .all() as { readonly type: string; readonly name: string; readonly sql: string }[];
    const owner = file.prepare('pragma application_id').get()?.['application_id'];
    const lines = [`pragma application_id = ${String(owner)};`];
    for (const { type, name, sql } of parts) {
      lines.push(`${sql};`);
      if (type === 'table') for (const row of rowsOf(file, name)) lines.push(row);
    }
    return `${lines.join('\n')}\n`;
  } finally {
    file.close();
  }
};

const rowsOf = (file: DatabaseSync, table: string): readonly string[] =>
  file
    .prepare(`select * from "${table}"`)
    .all()
    .map((row) => `insert into "${table}" values (${Object.values(row).map(literal).join(', ')});`);

const literal = (value: SQLOutputValue): string => {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  return value === null ? 'null' : String(value);
};

/** Make the file that a dump describes. */
export const loadSqlDump = (text: string, path: string): void => {
  const file = new DatabaseSync(path);
  file.exec(text);
  file.close();
};
