import type { Finding } from '../../kernel/finding.ts';
import { formatMoney, type Money, ZERO } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { LedgerProblem } from './ledger-file.ts';
import { type LedgerRollForward, unexplainedOf } from './roll-forward.ts';

/** A finding with its state (empty if none) and the tax at stake, which is always zero. */
export type LedgerFinding = Finding & { readonly state: string; readonly effect: Money };

/**
 * List the findings about the ledger: unusable rows, unexplained differences, and overdue returns without a payment.
 */
export const ledgerFindings = (
  problems: readonly LedgerProblem[],
  rolled: LedgerRollForward,
  period: FilingPeriod,
): readonly LedgerFinding[] => [
  ...problems.map((problem) => ({ ...problem, state: '', effect: ZERO })),
  ...rolled.groups.flatMap(({ group }) => unexplained(group, unexplainedOf(rolled, group))),
  ...rolled.returns.filter(({ due, payable }) => due <= period.last && payable > 0).map(unpaid),
];

const unexplained = (group: string, amount: Money): readonly LedgerFinding[] =>
  amount === ZERO
    ? []
    : [
        warning(
          'ledger-unexplained',
          group,
          `the ledger's sales tax payable (${group}) differs by ${formatMoney(amount)} for which nothing shows a cause; the sheet Roll-forward in filing-summary.xlsx has it line by line`,
        ),
      ];

const unpaid = ({ state, due, periods, payable }: LedgerRollForward['returns'][number]): LedgerFinding =>
  warning(
    'ledger-return-unpaid',
    state,
    `the return for ${periods.join(', ')} was due on ${due} with ${formatMoney(payable)}, and the ledger has no payment of it`,
  );

const warning = (code: string, name: string, message: string): LedgerFinding => ({
  ...{ severity: 'warning', code, message, effect: ZERO },
  origin: { file: '', line: 0, record: name },
  state: /^[A-Z]{2}$/.test(name) ? name : '',
});
