import type { FilingPeriod } from '../../../kernel/period.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import { type Ballot, ballotOf } from '../../reconcile/ballot.ts';
import { claimsOf } from '../../reconcile/claims-of.ts';
import { explainVariance, isExempt } from '../../reconcile/explain-variance.ts';
import { decideRates, type RateDecision } from '../../reconcile/implied-rates.ts';
import { openModelOf } from '../../reconcile/open-variance.ts';
import type { LevelRates, RateClaim } from '../../reconcile/rate-claim.ts';
import { statedClaims } from '../../reconcile/stated-rates.ts';
import { UNEXPLAINED } from '../../workspace/expectation-of.ts';
import { openKeysOf } from '../../workspace/open-keys.ts';
import { BATCH_ROWS } from '../../workspace/workspace.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { askQuestions, type Questioning } from './ask-questions.ts';
import { openVariances, type StoredVariance } from './open-variances.ts';

/** Variances that are asked about together: those that share a question are mostly among them. */
const ASKED_TOGETHER = 4 * BATCH_ROWS;

/**
 * Explain the variances of a period that the sales' own calculations leave open: by what tax lines of the shop state, by
 * rates on which sales agree, and then by questions, the largest variance first. Each sale casts a ballot; the period
 * decides once; what is found of a sale is kept with it. Nothing is asked that arithmetic answers.
 *
 * Returns how many variances were not asked about, because the cap or the budget was reached.
 */
export const explainOpen = async (
  ports: ClosePorts,
  period: FilingPeriod,
  questioning: Questioning,
  advanced: Advanced,
): Promise<number> => {
  const keys = await openKeysOf(ports.workspace);
  if (keys.length === 0) return 0;
  const ballots: Ballot[] = [];
  for await (const page of openVariances(ports, period, keys)) {
    for (const open of page) ballots.push(...ballotsOf(open));
    advanced(0);
  }
  const left = await claimRates(ports, period, keys, decideRates(ballots), advanced);
  let cutShort = 0;
  for (const batch of batchesOf(left, ASKED_TOGETHER)) {
    const open: StoredVariance[] = [];
    for await (const page of openVariances(ports, period, batch)) open.push(...page);
    const rows = await askQuestions(ports, open, questioning);
    cutShort += rows.filter(({ detail }) => detail !== UNEXPLAINED).length;
    await ports.workspace.upsert('sale_calculation', rows);
    advanced(0);
  }
  return cutShort;
};

/** A sale without a duty, or exempt as a whole, has no rates to hold others against. */
const isRateless = ({ expectation }: StoredVariance): boolean =>
  !expectation.has_nexus || isExempt(expectation);

const ballotsOf = (open: StoredVariance): readonly Ballot[] => {
  if (isRateless(open)) return [];
  const own = openModelOf(open);
  const stated = statedClaims(open, own);
  const rates: LevelRates | undefined = stated.find(({ code }) => code === 'R26')?.rates;
  const isProved = stated.length > 0 && provedBy(open, stated);
  // Lines that state a rate speak for themselves, and lines that prove nothing leave the sale a voter.
  if (isProved && rates === undefined) return [];
  return [ballotOf(open, own, isProved ? rates : undefined)].filter((ballot) => ballot !== undefined);
};

/** Keep the claims that are proved; returns the keys of the sales that none explains, the largest variance first. */
const claimRates = async (
  ports: ClosePorts,
  period: FilingPeriod,
  keys: readonly string[],
  decision: RateDecision,
  advanced: Advanced,
): Promise<readonly string[]> => {
  const left: { readonly key: string; readonly size: number }[] = [];
  for await (const page of openVariances(ports, period, keys)) {
    const rows = page.flatMap((open) => {
      const claims = provedClaims(open, decision);
      const size = Math.abs(open.sale.salesTax - open.expectation.amount_to_collect);
      if (claims.length === 0) left.push({ key: open.sale.key, size });
      const text = JSON.stringify(claims);
      return text === open.row.claims
        ? []
        : [{ ...open.row, claims: text, alternatives: '[]', detail: UNEXPLAINED }];
    });
    await ports.workspace.upsert('sale_calculation', rows);
    advanced(0);
  }
  return left
    .sort((one, other) => other.size - one.size || (one.key < other.key ? -1 : 1))
    .map(({ key }) => key);
};

const provedClaims = (open: StoredVariance, decision: RateDecision): readonly RateClaim[] => {
  if (isRateless(open)) return [];
  const own = openModelOf(open);
  const candidates = [statedClaims(open, own), ...claimsOf(open, own, decision).map((claim) => [claim])];
  return candidates.find((claims) => claims.length > 0 && provedBy(open, claims)) ?? [];
};

const provedBy = ({ sale, expectation }: StoredVariance, claims: readonly RateClaim[]): boolean =>
  (explainVariance({
    collected: sale.salesTax,
    shipping: sale.shipping,
    lines: sale.lines,
    expectation,
    alternatives: [],
    claims,
    search: 'claims',
  }).claims?.length ?? 0) > 0;
