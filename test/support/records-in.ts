import { connect } from '../../src/database/connect.ts';

type Books = { readonly transactions: Readonly<Record<string, unknown>> };

/** Each record of a ledger in full, with how often it was changed, as text, in order. */
export const recordsIn = async (url: string): Promise<readonly string[]> => {
  const database = await connect(url);
  try {
    const rows = await database.tables<Books>().selectFrom('transactions').selectAll().execute();
    // A first revision is a random multiple of a thousand, and each change adds one.
    return rows
      .map(({ revision, ...row }) => JSON.stringify({ ...row, changes: Number(revision) % 1_000 }))
      .sort();
  } finally {
    await database.close();
  }
};
