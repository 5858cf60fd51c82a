import type { Severity } from '../../kernel/finding.ts';
import { formatMoney, ZERO } from '../../kernel/money.ts';
import type { Exception } from '../reconcile/exceptions.ts';
import type { LateLine } from '../report/late-line.ts';
import type { Lock } from '../workspace/locks.ts';

type Draft = Omit<Exception, 'accepted'>;

/** What a person should see of late items: one line for each, open until it is decided. */
export const exceptionsOfLate = (lines: readonly LateLine[]): readonly Draft[] =>
  lines.map((line) => ({
    severity: SEVERITIES[line.choice],
    code: 'R17',
    origin: { file: line.file, line: line.line, record: line.record },
    message: `Late arrival: ${messageOf(line)}`,
    state: line.state,
    effect: line.choice === 'open' ? line.expected : ZERO,
  }));

const SEVERITIES: Readonly<Record<LateLine['choice'], Severity>> = {
  open: 'error',
  carried: 'warning',
  amended: 'warning',
};

const WHAT: Readonly<Record<LateLine['kind'], string>> = {
  new: 'it came after the lock',
  changed: 'it was changed after the lock',
  withdrawn: 'it was set aside after the lock',
};

const messageOf = ({ saleDate, period, kind, gross, expected, choice }: LateLine): string => {
  const effect = `${formatMoney(gross)} gross and ${formatMoney(expected)} tax`;
  const what = `dated ${saleDate}, in ${period}, which is locked; ${WHAT[kind]}`;
  if (choice === 'carried') return `${what}; ${effect} are filed here`;
  if (choice === 'amended') return `${what}; ${effect} are put into this amended version`;
  return `${what}; ${effect} wait for \`tieout late ${period}\` to carry or amend them`;
};

/** An amended version that somebody began and nobody closed keeps the next close from being clean. */
export const exceptionOfAmendment = ({ label, period }: Lock): Draft => ({
  severity: 'error',
  code: 'R17',
  origin: { file: '', line: 0, record: label },
  message: `Late arrival: ${label} is not closed yet; \`tieout late ${period} --amend\` does it`,
  state: '',
  effect: ZERO,
});
