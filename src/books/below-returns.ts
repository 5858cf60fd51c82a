import { exemptionWord } from '../certificates/certificate.ts';
import { returnKey } from '../filing/state-figures.ts';
import { isLocal, type TaxReturn } from '../filing/tax-return.ts';
import { type Money, subtract, sum, ZERO } from '../kernel/money.ts';
import { formula, quoted, type References } from '../workbook/cell.ts';
import { type Grid, type GridRow, text } from '../workbook/sheet.ts';

export const DEDUCTIONS_TABLE = 'Deductions';
export const MARKETPLACE_REMITS = 'Marketplace remits';

/** Returns the words for sales to exempt buyers of a type. */
export const exemptReason = (type: string): string => `Exempt buyer: ${exemptionWord(type)}`;

export type DeductionRow = {
  readonly state: string;
  readonly reason: string;
  readonly reported: boolean;
  readonly sales: number | undefined;
  readonly amount: Money;
};

/** Lists why sales are not taxed, by return: the reasons account for all of gross sales less the taxable amount. */
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
      reason: exemptReason(type),
      reported: true,
      sales,
      amount,
    }));
    rows.push(
      {
        state,
        reason: MARKETPLACE_REMITS,
        reported: form.marketplace.treatment !== 'exclude',
        sales: undefined,
        amount: figures.marketplace,
      },
      { state, reason: 'Before registration', reported: true, sales: undefined, amount: beforeDuty },
      { state, reason: 'Not taxable', reported: true, sales: undefined, amount: rest },
    );
    return rows.filter(({ amount }) => amount !== ZERO);
  });

export const allReturns = (returns: readonly TaxReturn[]): string =>
  returns.some(isLocal) ? 'All returns, sales once' : 'All returns';

/**
 * Shown because the number of sales is not counted: a sale can have both taxed and untaxed lines. The sheet is compared
 * with that of other builds, so its words stay.
 */
const DASH = text('–', { grey: true });

/** Builds the table of deductions by return and reason, whose total equals that of Returns. */
export const deductionsGrid = (returns: readonly TaxReturn[]): Grid => ({
  heading: 'Deductions by reason',
  name: DEDUCTIONS_TABLE,
  hasHeader: true,
  columns: [
    { title: 'State' },
    { title: 'Reason' },
    { title: 'Amount', align: 'right' as const },
    { title: 'Sales', align: 'right' as const },
    { title: 'On the return' },
  ],
  rows: deductionRows(returns).map(
    ({ state, reason, amount, sales, reported }): GridRow => ({
      cells: [
        text(state, { bold: true }),
        text(reason),
        { format: 'money', value: amount },
        sales === undefined ? DASH : { format: 'count', value: sales },
        { format: 'yes-no', value: reported },
      ],
    }),
  ),
  totals: [
    {
      kind: 'subtotal' as const,
      cells: [
        text(allReturns(returns)),
        undefined,
        {
          format: 'money' as const,
          value: formula(
            (at) => deductionsOnce(returns, at),
            sum(
              returns
                .filter((filed) => !isLocal(filed))
                .map(({ figures }) => subtract(figures.gross, figures.taxable)),
            ),
          ),
        },
      ],
    },
  ],
});

/** Sums the deductions of all returns. Those of local returns are counted only on their states' returns. */
export const deductionsOnce = (returns: readonly TaxReturn[], at: References): string =>
  [
    at.sum(DEDUCTIONS_TABLE, 'Amount'),
    ...returns
      .filter(isLocal)
      .map(({ figures }) => at.sumIfs(DEDUCTIONS_TABLE, 'Amount', { State: quoted(returnKey(figures)) })),
  ].join('-');

export const RETURNS_TABLE = 'Returns';

/** The column of an amended version with what was due with the returns before, as a negative amount. */
export const FILED_BEFORE = 'Filed before';

/**
 * Sums a column of sales over the returns; local returns are subtracted, because their states' returns include them.
 */
export const salesOnce = (returns: readonly TaxReturn[], title: string, at: References): string =>
  [
    at.sum(RETURNS_TABLE, title),
    ...returns.flatMap((filed, row) => (isLocal(filed) ? [at.cellAt(RETURNS_TABLE, title, row)] : [])),
  ].join('-');
