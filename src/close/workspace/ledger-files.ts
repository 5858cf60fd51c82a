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
  /** The accounts that were asked for. */
  accounts: string;
  /** Its entries on these accounts, its balances, and what is wrong with it. */
  body: string;
};

/** Keep the ledger as it stands now; files that are configured no more are forgotten. */
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

/** The exports of the ledger, in their order; none when none is configured. */
export const ledgerFilesOf = async (workspace: Workspace): Promise<readonly LedgerFile[]> => {
  const rows = await rowsIn(workspace, 'ledger_file').selectAll().orderBy('position').execute();
  return rows.map(({ path, sha256, body }) => ({
    ...{ path, sha256 },
    ...(JSON.parse(body) as Omit<LedgerFile, 'path' | 'sha256'>),
  }));
};
