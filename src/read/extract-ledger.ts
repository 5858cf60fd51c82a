import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { type BalanceFile, readBalances } from '../close/general-ledger/read-balances.ts';
import { readCompanionFiles } from './companion-files.ts';

/**
 * Read these balances; `undefined` if none are configured.
 *
 * @throws {TieoutError} E_LEDGER_MISSING, E_LEDGER_COLUMNS, or what any file of exports can have
 */
export const readLedger = async ({
  ledger,
  resolvePath,
}: Pick<LoadedConfiguration, 'ledger' | 'resolvePath'>): Promise<BalanceFile | undefined> => {
  const missing = {
    code: 'E_LEDGER_MISSING',
    nextStep: 'Put the file of account balances there, or correct `ledger` in the configuration.',
  } as const;
  const files = await readCompanionFiles(ledger ? [ledger] : [], resolvePath, missing, readBalances);
  return files[0];
};
