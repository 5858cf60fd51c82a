import type { BalanceFile } from '../general-ledger/read-balances.ts';
import { deleteIn, put, rowsIn } from './queries.ts';
import type { Workspace } from './workspace.ts';

/** The one file of balances, as it was last read: `body` has all of it. */
export type LedgerFileRow = { entity: string; position: number; path: string; sha256: string; body: string };

/** Store the balances as they are now, or remove them if none are configured. */
export const storeBalances = (workspace: Workspace, file: BalanceFile | undefined): Promise<void> =>
  workspace.together(async (within) => {
    await deleteIn(within, 'ledger_file').execute();
    const rows = file
      ? [{ position: 0, path: file.path, sha256: file.sha256, body: JSON.stringify(file) }]
      : [];
    await put(within, 'ledger_file', rows);
  });

/** Returns the balances; `undefined` when none are configured. */
export const storedBalances = async (workspace: Workspace): Promise<BalanceFile | undefined> => {
  const row = await rowsIn(workspace, 'ledger_file').selectAll().executeTakeFirst();
  return row && (JSON.parse(row.body) as BalanceFile);
};
