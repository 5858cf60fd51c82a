import { ledgerReader } from '../../src/close/general-ledger/read-ledger.ts';
import { expandFiles } from '../../src/close/sales/files/expand-files.ts';
import { surveyFile } from '../../src/close/sales/files/survey-file.ts';
import { TieoutError } from '../../src/kernel/errors.ts';
import type { Verdict } from './try-file.ts';

const ACCOUNTS = [{ account: 'Texas State Comptroller Payable', state: 'TX' }];

/** Try one file as an export of the seller's ledger. It throws when a row is lost, or a refusal has no next step. */
export const tryLedger = async (path: string): Promise<readonly Verdict[]> => {
  try {
    const read = ledgerReader(ACCOUNTS);
    const verdicts: Verdict[] = [];
    for (const source of await expandFiles([path], (name) => name)) {
      const { rows, used, ignored, rejected, entries } = await read(await surveyFile(source));
      if (used + ignored + rejected !== rows || used !== entries.length)
        throw new Error(
          `${path}: of ${rows} rows ${used} are used, ${ignored} ignored, ${rejected} rejected`,
        );
      verdicts.push({ kind: 'read', rows, rejected });
    }
    return verdicts;
  } catch (error) {
    if (!(error instanceof TieoutError) || error.recovery !== 'fix-input' || error.nextStep.length < 10)
      throw error;
    return [{ kind: 'refused', code: error.code }];
  }
};
