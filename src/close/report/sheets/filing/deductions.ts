import { type Money, subtract, sum, ZERO } from '../../../../kernel/money.ts';
import { exemptionWord } from '../../../certificates/exemption-reason.ts';
import type { TaxReturn } from '../../../filing/return/tax-return.ts';
import { returnKey } from '../../../filing/state-figures.ts';

export type DeductionRow = {
  readonly state: string;
  readonly reason: string;
  readonly reported: boolean;
  readonly sales: number | undefined;
  readonly amount: Money;
};

/** Why sales are not taxed, by state: between gross sales and the taxable amount nothing is left over. */
export const deductionRows = (returns: readonly TaxReturn[]): readonly DeductionRow[] =>
  returns.flatMap(({ figures, form }): readonly DeductionRow[] => {
    const state = returnKey(figures);
    const exempt = sum(figures.exempt.map(({ amount }) => amount));
    const { beforeDuty } = figures;
    const rest = subtract(
      subtract(figures.gross, figures.taxable),
      sum([exempt, beforeDuty, figures.marketplace]),
    );
    const rows: DeductionRow[] = figures.exempt.map(({ type, amount, sales }) => ({
      state,
      reason: `Exempt buyer: ${exemptionWord(type)}`,
      reported: true,
      sales,
      amount,
    }));
    rows.push(
      {
        state,
        reason: 'Marketplace remits',
        reported: form.marketplace.treatment !== 'exclude',
        sales: undefined,
        amount: figures.marketplace,
      },
      { state, reason: 'Before registration', reported: true, sales: undefined, amount: beforeDuty },
      { state, reason: 'Not taxable', reported: true, sales: undefined, amount: rest },
    );
    return rows.filter(({ amount }) => amount !== ZERO);
  });
