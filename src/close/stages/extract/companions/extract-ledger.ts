import type { LoadedConfiguration } from '../../../configuration/load-configuration.ts';
import type { LedgerFile } from '../../../general-ledger/ledger-file.ts';
import { ledgerReader } from '../../../general-ledger/read-ledger.ts';
import { storeLedger } from '../../../workspace/ledger-files.ts';
import type { ClosePorts } from '../../run/close-ports.ts';
import { readCompanionFiles } from './companion-files.ts';

/** Load the configured exports of the seller's own ledger into the workspace, as they are now. */
export const extractLedger = async ({ configuration, workspace }: ClosePorts): Promise<void> => {
  const files = await readLedger(configuration);
  await storeLedger(workspace, configuration.books?.accounts ?? [], files);
};

/**
 * Read these exports.
 *
 * @throws {TieoutError} E_BOOKS_MISSING, E_BOOKS_LAYOUT, or what any file of exports can have
 */
export const readLedger = ({
  books,
  resolvePath,
}: Pick<LoadedConfiguration, 'books' | 'resolvePath'>): Promise<readonly LedgerFile[]> => {
  const missing = {
    code: 'E_BOOKS_MISSING',
    nextStep: 'Put the export of the ledger there, or correct `books.files` in the configuration.',
  } as const;
  return readCompanionFiles(books?.files ?? [], resolvePath, missing, ledgerReader(books?.accounts ?? []));
};
