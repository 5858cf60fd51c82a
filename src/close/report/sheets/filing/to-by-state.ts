import { sum } from '../../../../kernel/money.ts';
import { type PeriodReport, totalOf } from '../../../figures/period-report.ts';
import { unreturned } from '../../../figures/unreturned.ts';
import { isLocal, type TaxReturn } from '../../../filing/tax-return.ts';
import { formula } from '../../../workbook/cell.ts';
import type { Grid, GridCell, GridColumn, GridRow } from '../../../workbook/laid-out.ts';
import type { References } from '../../../workbook/references.ts';

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

const TO_BY_STATE = 'To_by_state';

/** Builds the reconciliation of the returns' sales and collected tax with By state. */
export const toByState = (
  report: PeriodReport,
  returns: readonly TaxReturn[],
  columns: readonly GridColumn[],
): Grid => {
  const others = unreturned(
    report,
    returns.map(({ figures }) => figures),
  );
  const figures: Readonly<Record<string, 'gross' | 'collected'>> = {
    'Gross sales': 'gross',
    Collected: 'collected',
  };
  const row = (label: string, cellOf: (title: string) => GridCell | undefined): GridRow['cells'] =>
    columns.map(({ title }) => (title === 'State' ? { format: 'text', value: label } : cellOf(title)));
  return {
    heading: 'To By state in variance.xlsx',
    name: TO_BY_STATE,
    hasHeader: false,
    columns,
    rows: [
      {
        cells: row('States without a return', (title) => {
          const figure = figures[title];
          return figure && { format: 'money', value: sum(others.map((state) => state[figure])) };
        }),
      },
    ],
    totals: [
      {
        kind: 'subtotal',
        cells: row('By state', (title) => {
          const figure = figures[title];
          return (
            figure && {
              format: 'money',
              value: formula((at) => withOthers(returns, title, at), totalOf(report, figure)),
            }
          );
        }),
      },
    ],
  };
};

/** Sums a column over the returns, sales counted once, plus the states without a return. */
export const withOthers = (returns: readonly TaxReturn[], title: string, at: References): string => {
  const own = title === 'Collected' ? at.sum(RETURNS_TABLE, title) : salesOnce(returns, title, at);
  return `ROUND(${own}+${at.sum(TO_BY_STATE, title)},2)`;
};
