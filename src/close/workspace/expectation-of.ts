import { contradictionOf } from '../../contract/contradiction-of.ts';
import type { TaxResult } from '../../contract/tax-result.ts';
import { DefectError } from '../../kernel/errors.ts';
import { ZERO } from '../../kernel/money.ts';
import { ZERO_RATE } from '../../kernel/rate.ts';
import type { Alternative } from '../reconcile/change.ts';
import type { RateClaim } from '../reconcile/rate-claim.ts';
import type { SaleCalculationRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** What a sale should have carried, as far as it is known. */
export type Expectation =
  | {
      readonly basis: 'calculated' | 'no registration' | 'marketplace';
      readonly result: TaxResult;
      readonly alternatives: readonly Alternative[];
      readonly claims: readonly RateClaim[];
      /** The call budget was spent before every question about the variance was asked. */
      readonly isCutShort: boolean;
    }
  | { readonly basis: 'refused'; readonly detail: string };

/** An alternative as a row keeps it: its result by the digest of its request. */
export type StoredAlternative = Omit<Alternative, 'result'> & { readonly calculation: string };

/** How a row says that its own calculation leaves the variance open: everything was asked, or the cap did not reach. */
export const UNEXPLAINED = 'unexplained';
export const CUT_SHORT = 'cut short';

/** Nothing is due from the seller. */
export const NOTHING_DUE: TaxResult = {
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
    .leftJoin('calculation', 'calculation.digest', 'sale_calculation.calculation')
    .select(['key', 'basis', 'detail', 'alternatives', 'claims', 'result'])
    .where('entity', '=', workspace.entity)
    .where('key', 'in', keys)
    .execute();
  const stored = rows.map((row) => ({
    ...row,
    alternatives: JSON.parse(row.alternatives) as StoredAlternative[],
  }));
  const results = await storedResults(
    workspace,
    stored.flatMap(({ alternatives }) => alternatives.map(({ calculation }) => calculation)),
  );
  return new Map(stored.map((row) => [row.key, expectationOf(row, results)]));
};

/** The kept results of calculations by the digests of their requests. One that contradicts itself counts as not kept. */
export const resultsOf = async (
  workspace: Workspace,
  digests: readonly string[],
): Promise<ReadonlyMap<string, TaxResult>> =>
  new Map(
    [...(await storedResults(workspace, digests))].filter(
      ([, result]) => contradictionOf(result) === undefined,
    ),
  );

const storedResults = async (
  workspace: Workspace,
  digests: readonly string[],
): Promise<ReadonlyMap<string, TaxResult>> => {
  if (digests.length === 0) return new Map();
  const rows = await workspace.tables
    .selectFrom('calculation')
    .select(['digest', 'result'])
    .where('digest', 'in', [...new Set(digests)])
    .execute();
  return new Map(rows.map(({ digest, result }) => [digest, JSON.parse(result) as TaxResult]));
};

type Row = {
  readonly basis: SaleCalculationRow['basis'];
  readonly detail: string;
  readonly result: string | null;
  readonly alternatives: readonly StoredAlternative[];
  readonly claims: string;
};

const expectationOf = (row: Row, results: ReadonlyMap<string, TaxResult>): Expectation => {
  if (row.basis === 'refused') return { basis: 'refused', detail: row.detail };
  const isCutShort = row.detail === CUT_SHORT;
  const alternatives = row.alternatives.map(({ calculation, ...alternative }) => {
    const result = results.get(calculation);
    if (!result) throw new DefectError(`the calculation ${calculation} is not in the workspace`);
    return { ...alternative, result };
  });
  const claims = JSON.parse(row.claims) as RateClaim[];
  const found = { alternatives, claims, isCutShort };
  if (row.basis !== 'calculated') return { basis: row.basis, result: NOTHING_DUE, ...found };
  if (row.result === null) throw new DefectError('a calculated sale has lost its calculation');
  return { basis: 'calculated', result: JSON.parse(row.result) as TaxResult, ...found };
};
