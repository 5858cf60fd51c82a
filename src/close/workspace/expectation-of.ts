import type { TaxResult } from '../../contract/tax-result.ts';
import { ZERO } from '../../kernel/money.ts';
import { ZERO_RATE } from '../../kernel/rate.ts';
import type { Workspace } from './workspace.ts';

/** What a sale should have carried, as far as it is known. */
export type Expectation =
  | {
      readonly basis: 'calculated' | 'no registration';
      readonly result: TaxResult;
      readonly withoutCategories?: TaxResult;
    }
  | { readonly basis: 'refused'; readonly detail: string };

const NO_NEXUS: TaxResult = {
  amount_to_collect: ZERO,
  taxable_amount: ZERO,
  rate: ZERO_RATE,
  has_nexus: false,
  freight_taxable: false,
  tax_source: null,
};

/** The expectations of the sales with these keys; a key without one has not been recomputed yet. */
export const expectationsOf = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Expectation>> => {
  if (keys.length === 0) return new Map();
  const rows = await workspace.tables
    .selectFrom('sale_calculation')
    .leftJoin('calculation as expected', 'expected.digest', 'sale_calculation.calculation')
    .leftJoin('calculation as plain', 'plain.digest', 'sale_calculation.without_categories')
    .select(['sale_calculation.key', 'basis', 'detail', 'expected.result', 'plain.result as plain_result'])
    .where('entity', '=', workspace.entity)
    .where('sale_calculation.key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.key, expectationOf(row)]));
};

const expectationOf = (row: {
  readonly basis: string;
  readonly detail: string;
  readonly result: string | null;
  readonly plain_result: string | null;
}): Expectation => {
  if (row.result === null) {
    return row.basis === 'refused'
      ? { basis: 'refused', detail: row.detail }
      : { basis: 'no registration', result: NO_NEXUS };
  }
  const result = JSON.parse(row.result) as TaxResult;
  if (row.plain_result === null) return { basis: 'calculated', result };
  return { basis: 'calculated', result, withoutCategories: JSON.parse(row.plain_result) as TaxResult };
};
