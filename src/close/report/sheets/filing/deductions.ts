import { type Money, subtract, sum, ZERO } from '../../../../kernel/money.ts';
import type { TaxReturn } from '../../../filing/return/tax-return.ts';
import { defineSheet } from '../../../workbook/sheet.ts';

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
    const { state } = figures;
    const exempt = sum(figures.exempt.map(({ amount }) => amount));
    const rest = subtract(subtract(figures.gross, figures.taxable), sum([exempt, figures.marketplace]));
    const rows: DeductionRow[] = figures.exempt.map(({ type, amount, sales }) => ({
      state,
      reason: `exempt buyer: ${type}`,
      reported: true,
      sales,
      amount,
    }));
    rows.push(
      {
        state,
        reason: 'marketplace remits',
        reported: form.marketplace.treatment !== 'exclude',
        sales: undefined,
        amount: figures.marketplace,
      },
      { state, reason: 'not taxable: goods and shipping', reported: true, sales: undefined, amount: rest },
    );
    return rows.filter(({ amount }) => amount !== ZERO);
  });

export const DEDUCTIONS = defineSheet<DeductionRow>({
  name: 'Deductions',
  table: 'Deductions',
  title: 'Deductions by reason',
  note: 'Gross sales less taxable amount. Sales on marketplaces are reported and taken off in some states, and left out of the return in others.',
  columns: [
    { title: 'State', width: 8, format: 'status', value: ({ state }) => state },
    { title: 'Reason', width: 40, format: 'text', value: ({ reason }) => reason },
    { title: 'Reported', width: 10, format: 'yes-no', value: ({ reported }) => reported },
    { title: 'Sales', width: 9, format: 'count', value: ({ sales }) => sales },
    { title: 'Amount', width: 16, format: 'money', value: ({ amount }) => amount, total: 'sum' },
  ],
});
