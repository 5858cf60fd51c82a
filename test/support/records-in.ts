import { DatabaseSync } from 'node:sqlite';
import { connect } from '../../src/database/connect.ts';

type Books = { readonly transactions: Readonly<Record<string, unknown>> };

/** Each record of a ledger in full, with how often it was changed, as text, in order. */
export const recordsIn = async (url: string): Promise<readonly string[]> => {
  const rows = url.startsWith('sqlite:') ? rowsOfFile(url.slice('sqlite:'.length)) : await rowsOfServer(url);
  // A first revision is a random multiple of a thousand, and each change adds one.
  return rows
    .map(({ revision, ...row }) => JSON.stringify({ ...row, changes: Number(revision) % 1_000 }))
    .sort();
};

/** Reads a file that may stand on a full disk. */
const rowsOfFile = (path: string): readonly Books['transactions'][] => {
  using ledger = new DatabaseSync(path, { readOnly: true });
  return ledger.prepare('select * from transactions').all();
};

const rowsOfServer = async (url: string): Promise<readonly Books['transactions'][]> => {
  const database = await connect(url);
  try {
    return await database.tables<Books>().selectFrom('transactions').selectAll().execute();
  } finally {
    await database.close();
  }
};
