import { readBalances } from '../../src/figures/read-balances.ts';
import { TieoutError } from '../../src/kernel/errors.ts';
import { expandFiles, surveyFile } from '../../src/sales/survey-file.ts';
import type { Verdict } from './try-file.ts';

/** Try one file as one of account balances. It throws when a row is lost, or a refusal has no next step. */
export const tryLedger = async (path: string): Promise<readonly Verdict[]> => {
  try {
    const verdicts: Verdict[] = [];
    for (const source of await expandFiles([path], (name) => name)) {
      const { balances, problems } = await readBalances(await surveyFile(source));
      const lines = new Set([...balances, ...problems.map(({ origin }) => origin)].map(({ line }) => line));
      const rows = balances.length + problems.length;
      if (lines.size !== rows) throw new Error(`${path}: ${rows} rows of ${lines.size} lines`);
      verdicts.push({ kind: 'read', rows, rejected: problems.length });
    }
    return verdicts;
  } catch (error) {
    if (!(error instanceof TieoutError) || error.recovery !== 'fix-input' || error.nextStep.length < 10)
      throw error;
    return [{ kind: 'refused', code: error.code }];
  }
};
