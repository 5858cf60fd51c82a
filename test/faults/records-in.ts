import { DatabaseSync } from 'node:sqlite';
import { withChanges } from '../crash/outcome.ts';

/** Each record of the books in a file, in full, with how often it was changed, as text, in order. */
export const recordsIn = (path: string): readonly string[] => {
  const ledger = new DatabaseSync(path, { readOnly: true });
  try {
    return ledger
      .prepare('select * from transactions')
      .all()
      .map((row) => JSON.stringify(withChanges(row)))
      .sort();
  } finally {
    ledger.close();
  }
};
