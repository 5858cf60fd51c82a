import { type LackingRows, rowsLackingIn, surveySqliteFile } from '../database/survey-sqlite-file.ts';
import { TieoutError } from '../kernel/errors.ts';
import { exists } from '../runtime/exists.ts';

/** What is where a database of a backup goes: only what is sound has something to lose. */
export type DatabaseCondition = 'missing' | 'empty' | 'damaged' | 'sound';

/** What stands in a place now. @throws {TieoutError} E_DATABASE_FOREIGN, and those of a database */
export const conditionIn = async (path: string): Promise<DatabaseCondition> => {
  if (!(await exists(path))) return 'missing';
  try {
    const { rows } = surveySqliteFile(path, []);
    const isEmpty = Object.entries(rows).every(([table, count]) => count === 0 || OF_SCHEMA.test(table));
    return isEmpty ? 'empty' : 'sound';
  } catch (error) {
    if (error instanceof TieoutError && error.code === 'E_DATABASE_DAMAGED') return 'damaged';
    throw error;
  }
};

/** The tables in which migrations are noted. */
const OF_SCHEMA = /_migration(_lock)?$/;

/** What a sound database holds that the backup does not, in words. */
export const givenUp = (copy: string, path: string): string => {
  const lacking = rowsLackingIn(copy, path);
  return lacking.length === 0
    ? `${path} holds nothing that the backup lacks`
    : `${path} holds ${lacking.map(rowsText).join(', ')}, which the backup lacks or has otherwise`;
};

const rowsText = ({ table, count, first }: LackingRows): string =>
  count === 1 ? `1 row of ${table} (${first})` : `${count} rows of ${table} (${first} and others)`;
