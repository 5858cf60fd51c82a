import { DatabaseSync } from 'node:sqlite';

/** Each record of the books in a file, in full, as text, in order. */
export const recordsIn = (path: string): readonly string[] => {
  const ledger = new DatabaseSync(path, { readOnly: true });
  try {
    return ledger
      .prepare('select * from transactions')
      .all()
      .map((row) => JSON.stringify(row))
      .sort();
  } finally {
    ledger.close();
  }
};
