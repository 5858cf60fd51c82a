import { type FieldDifference, hasValueDifference } from '../close/reconcile/compare-record.ts';
import { isUnexplained } from '../close/reconcile/explain-variance.ts';
import type { ReconciledSale, Status } from '../close/reconcile/reconciled-sale.ts';
import type { Order, Refund } from '../contract/transaction.ts';
import { moneyOfPrice, negate } from '../kernel/money.ts';

/**
 * Returns the figures of a reversal: those of the filed record with the opposite sign. They are not calculated again,
 * because a reversal must cancel what is in the return, whatever the rates are now. The opinion of a second engine is
 * about the filed record alone.
 */
export const reversedFigures = (
  filed: ReconciledSale,
  now: {
    readonly recorded: Order | Refund | undefined;
    readonly differences: readonly FieldDifference[];
    readonly detail: string;
  },
): ReconciledSale => {
  const { recorded, differences, detail } = now;
  const { secondOpinion: _, exemption, ...figures } = filed;
  return {
    ...figures,
    status: statusOf(filed, recorded, differences),
    expected: filed.expected === null ? null : negate(filed.expected),
    taxable: negate(filed.taxable),
    recorded: recorded ? moneyOfPrice(recorded.sales_tax) : null,
    reasons: filed.reasons.map((reason) => ({ ...reason, amount: negate(reason.amount) })),
    levels: filed.levels.map((level) => ({
      ...level,
      taxable: negate(level.taxable),
      tax: negate(level.tax),
      collected: negate(level.collected),
    })),
    lines: filed.lines.map((line) => ({
      ...line,
      collected: negate(line.collected),
      expected: negate(line.expected),
    })),
    ...(exemption && { exemption: reversedExemption(exemption) }),
    differences,
    detail,
  };
};

type Exempt = NonNullable<ReconciledSale['exemption']>;

const reversedExemption = ({ relieved, ...exemption }: Exempt): Exempt => ({
  ...exemption,
  relieved: relieved === null ? null : negate(relieved),
});

const statusOf = (
  { expected, reasons }: ReconciledSale,
  recorded: Order | Refund | undefined,
  differences: readonly FieldDifference[],
): Status => {
  if (!recorded) return 'not recorded';
  if (hasValueDifference(differences)) return 'recorded otherwise';
  if (expected === null) return 'not calculated';
  if (reasons.length === 0) return 'tied out';
  return isUnexplained({ reasons }) ? 'unexplained' : 'explained';
};
