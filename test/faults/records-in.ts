import { DatabaseSync } from 'node:sqlite';

/** Each record of the books in a file, in full but for its random revision, as text, in order. */
export const recordsIn = (path: string): readonly string[] => {
  const ledger = new DatabaseSync(path, { readOnly: true });
  try {
    return ledger
      .prepare('select * from transactions')
      .all()
      .map(({ revision: _, ...row }) => JSON.stringify(row))
      .sort();
  } finally {
    ledger.close();
  }
};
