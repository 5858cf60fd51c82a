import { contradictionOf } from '../../contract/contradiction-of.ts';
import type { TaxRequestInput } from '../../contract/tax-request.ts';
import type { TaxResult } from '../../contract/tax-result.ts';
import { DefectError } from '../../kernel/errors.ts';
import type { Alternative } from '../reconcile/change.ts';
import { NOTHING_DUE } from '../reconcile/nothing-due.ts';
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

/** The expectations of the sales with these keys; a key without one has not been recomputed yet. */
export const expectationsOf = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Expectation>> => {
  if (keys.length === 0) return new Map();
  const rows = await workspace.tables
    .selectFrom('sale_calculation')
    .leftJoin('calculation', 'calculation.digest', 'sale_calculation.calculation')
    .select(['key', 'basis', 'detail', 'alternatives', 'claims', 'request', 'result'])
    .where('entity', '=', workspace.entity)
    .where('key', 'in', keys)
    .execute();
  const stored = rows.map((row) => ({
    ...row,
    alternatives: JSON.parse(row.alternatives) as StoredAlternative[],
  }));
  const answers = await storedAnswers(
    workspace,
    stored.flatMap(({ alternatives }) => alternatives.map(({ calculation }) => calculation)),
  );
  return new Map(stored.map((row) => [row.key, expectationOf(row, answers)]));
};

/** The kept results of calculations by the digests of their requests. One that contradicts itself counts as not kept. */
export const resultsOf = async (
  workspace: Workspace,
  digests: readonly string[],
): Promise<ReadonlyMap<string, TaxResult>> =>
  new Map(
    [...(await storedAnswers(workspace, digests))].flatMap(([digest, { result, contradiction }]) =>
      contradiction === undefined ? [[digest, result]] : [],
    ),
  );

/** A kept answer, and why it cannot be right: an earlier version took any, and rows can be changed. */
type StoredAnswer = { readonly result: TaxResult; readonly contradiction: string | undefined };

const storedAnswer = (row: { readonly request: string; readonly result: string }): StoredAnswer => {
  const result = JSON.parse(row.result) as TaxResult;
  return { result, contradiction: contradictionOf(result, JSON.parse(row.request) as TaxRequestInput) };
};

const storedAnswers = async (
  workspace: Workspace,
  digests: readonly string[],
): Promise<ReadonlyMap<string, StoredAnswer>> => {
  if (digests.length === 0) return new Map();
  const rows = await workspace.tables
    .selectFrom('calculation')
    .select(['digest', 'request', 'result'])
    .where('digest', 'in', [...new Set(digests)])
    .execute();
  return new Map(rows.map((row) => [row.digest, storedAnswer(row)]));
};

type Row = {
  readonly basis: SaleCalculationRow['basis'];
  readonly detail: string;
  readonly request: string | null;
  readonly result: string | null;
  readonly alternatives: readonly StoredAlternative[];
  readonly claims: string;
};

/** Nothing rests on an answer that contradicts itself: such an alternative is none, and such a sale is not calculated. */
const expectationOf = (row: Row, answers: ReadonlyMap<string, StoredAnswer>): Expectation => {
  if (row.basis === 'refused') return { basis: 'refused', detail: row.detail };
  const isCutShort = row.detail === CUT_SHORT;
  const alternatives = row.alternatives.flatMap(({ calculation, ...alternative }) => {
    const answer = answers.get(calculation);
    if (!answer) throw new DefectError(`the calculation ${calculation} is not in the workspace`);
    return answer.contradiction === undefined ? [{ ...alternative, result: answer.result }] : [];
  });
  const claims = JSON.parse(row.claims) as RateClaim[];
  const found = { alternatives, claims, isCutShort };
  if (row.basis !== 'calculated') return { basis: row.basis, result: NOTHING_DUE, ...found };
  const { request, result: kept } = row;
  if (request === null || kept === null) throw new DefectError('a calculated sale has lost its calculation');
  const { result, contradiction } = storedAnswer({ request, result: kept });
  if (contradiction !== undefined)
    return {
      basis: 'refused',
      detail: `the answer that was kept contradicts itself: ${contradiction}. Close again with --recompute`,
    };
  return { basis: 'calculated', result, ...found };
};
