import { ledgerReader } from '../../../general-ledger/read-ledger.ts';
import { storeLedger } from '../../../workspace/ledger-files.ts';
import type { ClosePorts } from '../../run/close-ports.ts';
import { readCompanionFiles } from './companion-files.ts';

/** Load the configured exports of the seller's own ledger into the workspace, as they are now. */
export const extractLedger = async ({ configuration, workspace }: ClosePorts): Promise<void> => {
  const { books, resolvePath } = configuration;
  const accounts = books?.accounts ?? [];
  const missing = {
    code: 'E_BOOKS_MISSING',
    nextStep: 'Put the export of the ledger there, or correct `books.files` in the configuration.',
  } as const;
  const files = await readCompanionFiles(books?.files ?? [], resolvePath, missing, ledgerReader(accounts));
  await storeLedger(workspace, accounts, files);
};
