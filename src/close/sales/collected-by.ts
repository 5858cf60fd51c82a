import type { ExemptionType } from '../../contract/scalars.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, formatMoney, type Money, ZERO } from '../../kernel/money.ts';
import type { TableRow } from './files/table-row.ts';
import type { SaleMap } from './profile/sale-map.ts';
import type { SaleFigures } from './read-figures.ts';
import type { RowReader } from './row-reader.ts';
import type { Remark } from './sale.ts';

type Collected = {
  readonly salesTax: Money;
  readonly marketplaceTax: Money;
  readonly exemptionType: ExemptionType | null;
  readonly doubts: readonly Remark[];
};

/** Tells who collected the tax of a record: the seller, or a marketplace that remits it itself. */
export const taxCollector = (map: SaleMap, read: RowReader, isMarketplace: boolean) => {
  const { marketplace } = map;
  const isAlways = marketplace === 'always';
  const facilitated = (isAlways ? [] : [marketplace ?? []].flat()).map(({ when, since = '' }) => ({
    tests: when.map(read.holds),
    since,
  }));
  const exemptions = map.exemption.map(({ when, type }) => ({ tests: when.map(read.holds), type }));
  return (
    { salesTax, marketplaceTax }: Pick<SaleFigures, 'salesTax' | 'marketplaceTax'>,
    first: TableRow,
    rows: readonly TableRow[],
    day: CalendarDate,
  ): Collected => {
    const isSold = ({ tests, since }: (typeof facilitated)[number]): boolean =>
      day >= since && tests.some((test) => rows.some((row) => test(row, rows)));
    const byRule = isAlways || facilitated.some(isSold);
    if (isMarketplace || (byRule && map.marketplaceTax === undefined)) {
      const all = add(salesTax, marketplaceTax);
      return { salesTax: ZERO, marketplaceTax: all, exemptionType: 'marketplace', doubts: [] };
    }
    if (byRule || marketplaceTax !== ZERO) {
      const message = `${formatMoney(salesTax)} was collected by the seller beside ${formatMoney(marketplaceTax)} by the marketplace`;
      const doubts = salesTax === ZERO ? [] : [{ code: 'two-collectors', message }];
      return { salesTax, marketplaceTax, exemptionType: 'marketplace', doubts };
    }
    const exemption = exemptions.find(({ tests }) => tests.every((test) => test(first)));
    return { salesTax, marketplaceTax, exemptionType: exemption?.type ?? null, doubts: [] };
  };
};
