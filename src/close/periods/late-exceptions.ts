import { formatMoney, ZERO } from '../../kernel/money.ts';
import type { LateLine } from '../figures/late-line.ts';
import type { DraftException } from '../reconcile/exceptions.ts';
import type { Lock } from '../workspace/locks.ts';

/** Returns the exceptions for late items: one for each line, open until a person decides it, and then a notice. */
export const exceptionsOfLate = (lines: readonly LateLine[]): readonly DraftException[] =>
  lines.map((line) => ({
    ...standOf(line),
    origin: { file: line.file, line: line.line, record: line.record },
    message: `Late arrival: ${messageOf(line)}`,
    state: line.state,
  }));

/** The amounts of a decided item are on the returns of the books already. */
const standOf = ({ choice, expected }: LateLine): Pick<DraftException, 'severity' | 'code' | 'effect'> =>
  choice === 'open'
    ? { severity: 'error', code: 'R17', effect: expected }
    : { severity: 'notice', code: 'late-filed', effect: ZERO };

const WHAT: Readonly<Record<LateLine['kind'], string>> = {
  new: 'new after',
  changed: 'changed after',
  withdrawn: 'set aside after',
};

const messageOf = ({ saleDate, period, kind, gross, collected, expected, choice }: LateLine): string => {
  const effect = `${formatMoney(gross)} gross, ${formatMoney(collected)} tax collected, ${formatMoney(expected)} tax due`;
  const what = `of ${saleDate}, ${WHAT[kind]} ${period} was locked: ${effect}`;
  if (choice === 'carried') return `${what}, filed here`;
  if (choice === 'amended') return `${what}, put into an amended version`;
  return `${what}; carry or amend with \`tieout late ${period}\``;
};

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
