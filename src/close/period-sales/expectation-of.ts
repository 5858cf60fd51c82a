import { contradictionOf } from '../../contract/contradiction-of.ts';
import type { TaxRequestInput } from '../../contract/tax-request.ts';
import type { TaxResult } from '../../contract/tax-result.ts';
import { DefectError } from '../../kernel/errors.ts';
import type { AnsweredHypothesis } from '../reconcile/hypothesis.ts';
import { NOTHING_DUE } from '../reconcile/nothing-due.ts';
import type { RateClaim } from '../reconcile/rate-claim.ts';
import type { Sale } from '../sales/sale.ts';
import { answersBy } from '../workspace/answers.ts';
import { readPage } from '../workspace/stage-pages.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The tax that a sale should have carried, as far as it is known. */
export type Expectation =
  | {
      readonly basis: 'calculated' | 'no registration' | 'marketplace';
      readonly result: TaxResult;
      /** The answer about the order, where the variance of a part of it is open. */
      readonly whole?: TaxResult | undefined;
      readonly alternatives: readonly AnsweredHypothesis[];
      readonly claims: readonly RateClaim[];
      /** The call budget was spent before every question about the variance could be calculated. */
      readonly isCutShort: boolean;
      /** The tax that an exempt sale would have carried without its exemption, where that was calculated. */
      readonly relief: TaxResult | undefined;
    }
  | { readonly basis: 'refused'; readonly detail: string };

/**
 * A request and its answer, by the digest of service and request. The answer of a remote service is in the table
 * `calculation`, and this row has its digest; the answer of the embedded service is in the row itself. An answer about a
 * part of an order is in the row in both cases.
 */
export type StoredAnswer = {
  readonly digest: string;
  /** Digest of an answer that is in the table. */
  readonly answer?: string;
  /** Absent when it can be derived from the sale. */
  readonly request?: TaxRequestInput;
  readonly result?: TaxResult;
};

/** The calculated tax of a sale: a row of the pages of `calculated`, where it is stored without `found`. */
export type CalculatedSale = {
  readonly key: string;
  /** Digest of the sale. When it changes, the sale is calculated again. */
  readonly sale: string;
  /** `calculated`; or why no tax is due and nothing was requested; or `refused`, with the reason in `detail`. */
  readonly basis: Expectation['basis'];
  readonly detail?: string;
  readonly own?: StoredAnswer;
  readonly relief?: StoredAnswer;
  /** Present when the sale's own calculation does not explain the variance. */
  readonly found?: FoundOut;
  /** The answer about the order, if the sale gives a part of it back and its variance is open. */
  readonly whole?: TaxResult;
};

/** The explanation of a variance that the sale's own calculation leaves open. */
export type FoundOut = {
  /** Calculations of the same sale with one thing changed, requested while a variance is unexplained. */
  readonly alternatives: readonly StoredAlternative[];
  /** Rates of the shop that several sales prove together. */
  readonly claims: readonly RateClaim[];
  /** A limit was reached before every question was asked. */
  readonly isCutShort: boolean;
};

/** A variance that a sale's own calculation leaves open: a row of the pages of `variances`. */
export type KeptVariance = {
  readonly key: string;
  readonly sale: Sale;
  readonly expectation: TaxResult;
  /** The answer about the order, if the sale gives a part of it back. */
  readonly whole?: TaxResult;
  /** Absent until an explanation was searched for. */
  readonly found?: FoundOut;
};

/** An alternative as a row stores it. */
export type StoredAlternative = Omit<AnsweredHypothesis, 'result'> & { readonly asked: StoredAnswer };

/** Returns the calculated sales of a page by key; empty when the page was not recomputed yet. */
export const calculatedIn = async (
  workspace: Workspace,
  slot: string,
): Promise<ReadonlyMap<string, CalculatedSale>> =>
  byKey(
    (await readPage<CalculatedSale>(workspace, 'calculated', slot))?.rows ?? [],
    (await readPage<KeptVariance>(workspace, 'variances', slot))?.rows ?? [],
  );

/** Returns the expectations of the sales of a page by key. A key without one was not recomputed yet. */
export const expectationsIn = async (
  workspace: Workspace,
  slot: string,
): Promise<ReadonlyMap<string, Expectation>> =>
  expectationsOf(workspace, [...(await calculatedIn(workspace, slot)).values()]);

export const expectationsOf = async (
  workspace: Workspace,
  rows: readonly CalculatedSale[],
): Promise<ReadonlyMap<string, Expectation>> => {
  const answers = await answersIn(workspace, rows.flatMap(answersFor));
  return new Map(rows.map((row) => [row.key, expectationOf(row, answers)]));
};

/** Returns the answers on which the expectation of a sale is based. */
export const answersFor = (row: CalculatedSale | undefined): readonly StoredAnswer[] =>
  row
    ? [
        ...(row.own ? [row.own] : []),
        ...(row.relief ? [row.relief] : []),
        ...(row.found?.alternatives ?? []).map(({ asked }) => asked),
      ]
    : [];

/**
 * Returns the stored results of calculations by the digests of their requests, without those that contradict
 * themselves.
 */
export const resultsOf = async (
  workspace: Workspace,
  digests: readonly string[],
): Promise<ReadonlyMap<string, TaxResult>> =>
  new Map(
    [...(await cachedAnswers(workspace, digests))].flatMap(([digest, { result, contradiction }]) =>
      contradiction === undefined ? [[digest, result]] : [],
    ),
  );

/** A stored answer, and why it cannot be right if it contradicts itself: rows in the table can be edited. */
type KeptAnswer = {
  readonly request: TaxRequestInput;
  readonly result: TaxResult;
  readonly contradiction: string | undefined;
};

/** Returns the answers of a remote service by digest. */
export const cachedAnswers = async (
  workspace: Workspace,
  digests: readonly string[],
): Promise<ReadonlyMap<string, KeptAnswer>> => {
  if (digests.length === 0) return new Map();
  const rows = await answersBy(workspace, digests);
  return new Map(
    rows.map((row) => {
      const request = JSON.parse(row.request) as TaxRequestInput;
      const result = JSON.parse(row.result) as TaxResult;
      return [row.digest, { request, result, contradiction: contradictionOf(result, request) }];
    }),
  );
};

type Results = ReadonlyMap<string, Pick<KeptAnswer, 'result' | 'contradiction'>>;

const answersIn = async (workspace: Workspace, answers: readonly StoredAnswer[]): Promise<Results> =>
  cachedAnswers(
    workspace,
    answers.flatMap(({ digest, result }) => (result ? [] : [digest])),
  );

const answerOf = ({ digest, result }: StoredAnswer, kept: Results): ReturnType<Results['get']> =>
  result ? { result, contradiction: undefined } : kept.get(digest);

/** Ignores an answer that contradicts itself: an alternative is dropped, and a sale counts as not calculated. */
export const expectationOf = (row: CalculatedSale, kept: Results): Expectation => {
  if (row.basis === 'refused') return { basis: 'refused', detail: row.detail ?? '' };
  const alternatives = (row.found?.alternatives ?? []).flatMap(({ asked, ...alternative }) => {
    const answer = answerOf(asked, kept);
    if (!answer) throw new DefectError(`the calculation ${asked.digest} is not in the workspace`);
    return answer.contradiction === undefined ? [{ ...alternative, result: answer.result }] : [];
  });
  const relief = row.relief && answerOf(row.relief, kept);
  const found = {
    alternatives,
    claims: row.found?.claims ?? [],
    isCutShort: row.found?.isCutShort === true,
    relief: relief?.contradiction === undefined ? relief?.result : undefined,
  };
  if (row.basis !== 'calculated') return { basis: row.basis, result: NOTHING_DUE, ...found };
  const answer = row.own && answerOf(row.own, kept);
  if (!answer) throw new DefectError('a calculated sale has lost its calculation');
  const { result, contradiction } = answer;
  if (contradiction !== undefined)
    return {
      basis: 'refused',
      detail: `the answer that was kept contradicts itself: ${contradiction}. Close again to have it asked for again`,
    };
  return { basis: 'calculated', result, whole: row.whole, ...found };
};

const byKey = (
  rows: readonly CalculatedSale[],
  variances: readonly KeptVariance[],
): ReadonlyMap<string, CalculatedSale> => {
  const open = new Map(variances.map((variance) => [variance.key, variance]));
  return new Map(
    rows.map((row) => {
      const { found, whole } = open.get(row.key) ?? {};
      return [row.key, { ...row, ...(found && { found }), ...(whole && { whole }) }];
    }),
  );
};
