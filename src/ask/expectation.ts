import { NOTHING_DUE } from '../close/reconcile/explain-variance.ts';
import type { AnsweredHypothesis } from '../close/reconcile/hypothesis.ts';
import type { RateClaim } from '../close/reconcile/rate-claim.ts';
import type { TaxRequestInput } from '../contract/tax-request.ts';
import type { TaxResult } from '../contract/tax-result.ts';
import { DefectError } from '../kernel/errors.ts';

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

/** A request and its answer, by the digest of service and request. */
export type StoredAnswer = {
  readonly digest: string;
  /** Absent when it can be derived from the sale. */
  readonly request?: TaxRequestInput;
  readonly result: TaxResult;
};

/** The calculated tax of a sale, with what explains its variance where that is known. */
export type Calculated = {
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

/** An alternative with its request and answer. */
export type StoredAlternative = Omit<AnsweredHypothesis, 'result'> & { readonly asked: StoredAnswer };

/** Returns what is known of the tax that a sale should have carried. */
export const expectationOf = (row: Calculated): Expectation => {
  if (row.basis === 'refused') return { basis: 'refused', detail: row.detail ?? '' };
  const found = {
    alternatives: (row.found?.alternatives ?? []).map(({ asked, ...alternative }) => ({
      ...alternative,
      result: asked.result,
    })),
    claims: row.found?.claims ?? [],
    isCutShort: row.found?.isCutShort === true,
    relief: row.relief?.result,
  };
  if (row.basis !== 'calculated') return { basis: row.basis, result: NOTHING_DUE, ...found };
  if (!row.own) throw new DefectError('a calculated sale has lost its calculation');
  return { basis: 'calculated', result: row.own.result, whole: row.whole, ...found };
};
