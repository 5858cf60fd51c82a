import type { TaxAccount } from '../general-ledger/accounts.ts';
import type { LedgerFile } from '../general-ledger/ledger-file.ts';
import { deleteIn, put, rowsIn } from './queries.ts';
import type { Workspace } from './workspace.ts';

/** One export of the seller's own ledger, as it was last read. */
export type LedgerFileRow = {
  entity: string;
  /** Its place among the exports, from 0. */
  position: number;
  path: string;
  sha256: string;
  /** The accounts whose entries were read. */
  accounts: string;
  /** Its entries on these accounts, its balances, and its problems. */
  body: string;
};

/** Store the ledger as it is now, and remove files that are no longer configured. */
export const storeLedger = (
  workspace: Workspace,
  accounts: readonly TaxAccount[],
  files: readonly LedgerFile[],
): Promise<void> =>
  workspace.together(async (within) => {
    await deleteIn(within, 'ledger_file').execute();
    const rows = files.map(({ path, sha256, ...body }, position) => {
      return { position, path, sha256, accounts: JSON.stringify(accounts), body: JSON.stringify(body) };
    });
    await put(within, 'ledger_file', rows);
  });

/** Returns the exports of the ledger, in order; empty when none is configured. */
export const ledgerFilesOf = async (workspace: Workspace): Promise<readonly LedgerFile[]> => {
  const rows = await rowsIn(workspace, 'ledger_file').selectAll().orderBy('position').execute();
  return rows.map(({ path, sha256, body }) => ({
    ...{ path, sha256 },
    ...(JSON.parse(body) as Omit<LedgerFile, 'path' | 'sha256'>),
  }));
};
