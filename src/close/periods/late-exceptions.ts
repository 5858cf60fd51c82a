import { ZERO } from '../../kernel/money.ts';
import type { DraftException } from '../reconcile/exceptions.ts';
import type { Lock } from '../workspace/locks.ts';

/**
 * Returns the exception for an amended version that was begun but not closed; it keeps the next close from being clean.
 */
export const exceptionOfAmendment = ({ label, period }: Lock): DraftException => ({
  severity: 'error',
  code: 'R17',
  origin: { file: '', line: 0, record: label },
  message: `Late arrival: ${label} is not closed yet; \`tieout late ${period} --amend\` does it`,
  state: '',
  effect: ZERO,
});
