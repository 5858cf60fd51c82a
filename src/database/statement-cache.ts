import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** A prepared statement, whether it answers rows, and whether it may change some. */
export type Prepared = {
  readonly statement: StatementSync;
  readonly reader: boolean;
  readonly writer: boolean;
};
export type StatementCache = { readonly prepare: (text: string) => Prepared };

/** A statement that begins with `with` may change rows. */
const READS = /^\s*select\b/i;

const STATEMENTS_MAX = 256;

/** Statements prepared once per text, the least recently used dropped beyond the limit. */
export const statementCache = (file: DatabaseSync): StatementCache => {
  const kept = new Map<string, Prepared>();
  return {
    prepare: (text) => {
      let prepared = kept.get(text);
      if (prepared === undefined) {
        const statement = file.prepare(text);
        prepared = { statement, reader: statement.columns().length > 0, writer: !READS.test(text) };
      } else kept.delete(text);
      kept.set(text, prepared);
      const oldest = kept.size > STATEMENTS_MAX ? kept.keys().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest);
      return prepared;
    },
  };
};
