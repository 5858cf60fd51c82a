import type { LedgerFile } from '../../../general-ledger/ledger-file.ts';
import { ledgerReader } from '../../../general-ledger/read-ledger.ts';
import { storeLedger } from '../../../workspace/ledger-files.ts';
import type { ClosePorts } from '../../run/close-ports.ts';
import { companionFiles } from './companion-files.ts';

/** Load the configured exports of the seller's own ledger into the workspace, as they are now. */
export const extractLedger = async ({ configuration, workspace }: ClosePorts): Promise<void> => {
  const { books, resolvePath } = configuration;
  const accounts = books?.accounts ?? [];
  const read = ledgerReader(accounts);
  const files: LedgerFile[] = [];
  for (const file of await companionFiles(books?.files ?? [], resolvePath, {
    code: 'E_BOOKS_MISSING',
    nextStep: 'Put the export of the ledger there, or correct `books.files` in the configuration.',
  }))
    files.push(await read(file));
  await storeLedger(workspace, accounts, files);
};
