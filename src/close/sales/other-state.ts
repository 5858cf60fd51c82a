import { usRegionCode } from '../../kernel/us-regions.ts';
import { columnWords, normalColumn } from './files/normal-column.ts';
import type { TableRow } from './files/table-row.ts';
import type { SaleMap } from './profile/sale-map.ts';
import type { RowReader } from './row-reader.ts';
import type { SaleFinding } from './sale.ts';

/** Words for the state of a sale in column names. The buyer's state says nothing about a sale in person. */
const STATE = /\b(state|province|region|dest(ination)?|ship[- ]?to|deliver(y|ed)? ?to)\b|\bst$/;
const OF_BUYER = /\b(bill(ing|ed)?|cust(omer)?|buyer|client|member|payer)\b/;

/** Finding code for a sale in person whose row names a state other than that of its place. */
export const OTHER_STATE = 'other-state';

/**
 * Return a function that checks a sale in person for columns that name another state than that of its place, given as a
 * code. Columns that the profile uses for the place are skipped.
 */
export const otherStateIn = (
  map: Pick<SaleMap, 'location' | 'inPerson' | 'shipTo' | 'shipToFallback'>,
  header: readonly string[],
  read: RowReader,
): ((row: TableRow, state: string) => readonly SaleFinding[]) => {
  const { location, inPerson, shipTo, shipToFallback } = map;
  const lookedAt = new Set(textsIn([location, inPerson, shipTo, shipToFallback]).map(normalColumn));
  const columns = header.filter((column) => {
    const words = columnWords(column);
    return STATE.test(words) && !OF_BUYER.test(words) && !lookedAt.has(normalColumn(column));
  });
  const cells = columns.map((column) => ({ column: column.trim(), textOf: read.text(column) }));
  return (row, state) =>
    cells.flatMap(({ column, textOf }) => {
      const named = usRegionCode(textOf(row));
      if (named === undefined || named === state) return [];
      return [
        {
          code: OTHER_STATE,
          message: `sold in person, so in ${state}, and the column "${column}" has ${named}`,
        },
      ];
    });
};

/** All texts in some expressions, including their column names. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
