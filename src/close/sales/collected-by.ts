import type { ExemptionType } from '../../contract/scalars.ts';
import { add, formatMoney, type Money, ZERO } from '../../kernel/money.ts';
import type { TableRow } from './files/table-row.ts';
import type { SaleMap } from './profile/sale-map.ts';
import type { SaleFigures } from './read-figures.ts';
import type { RowReader } from './row-view.ts';
import type { Remark } from './sale.ts';

type Collected = {
  readonly salesTax: Money;
  readonly marketplaceTax: Money;
  readonly exemptionType: ExemptionType | null;
  readonly doubts: readonly Remark[];
};

export type Collecting = {
  readonly map: SaleMap;
  readonly cells: RowReader;
  readonly isMarketplace: boolean;
};

/** Who collected the tax: the seller, or a marketplace that remits it itself. */
export const collectedBy = (
  { salesTax, marketplaceTax }: SaleFigures,
  first: TableRow,
  rows: readonly TableRow[],
  { map, cells, isMarketplace }: Collecting,
): Collected => {
  const byRule =
    map.marketplace === 'always' ||
    (map.marketplace?.when.some((condition) => rows.some((row) => cells.holds(row, condition, rows))) ??
      false);
  if (isMarketplace || (byRule && map.marketplaceTax === undefined)) {
    const all = add(salesTax, marketplaceTax);
    return { salesTax: ZERO, marketplaceTax: all, exemptionType: 'marketplace', doubts: [] };
  }
  if (byRule || marketplaceTax !== ZERO) {
    const message = `${formatMoney(salesTax)} was collected by the seller beside ${formatMoney(marketplaceTax)} by the marketplace`;
    const doubts = salesTax === ZERO ? [] : [{ code: 'two-collectors', message }];
    return { salesTax, marketplaceTax, exemptionType: 'marketplace', doubts };
  }
  const exemption = map.exemption.find(({ when }) =>
    when.every((condition) => cells.holds(first, condition)),
  );
  return { salesTax, marketplaceTax, exemptionType: exemption?.type ?? null, doubts: [] };
};
