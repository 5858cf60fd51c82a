import { explainVariance, isExempt } from '../close/reconcile/explain-variance.ts';
import { type Ballot, ballotOf, decideRates, type RateDecision } from '../close/reconcile/implied-rates.ts';
import { type OpenVariance, openModelOf, type RateClaim } from '../close/reconcile/rate-claim.ts';
import { claimsOf, statedClaims } from '../close/reconcile/stated-rates.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { batchesOf } from '../runtime/batches.ts';
import { askQuestions } from './ask-questions.ts';
import { type CallBudget, type FoundOut, isWithoutReason, NOT_ASKED, varianceCase } from './calculate.ts';

/** Variances that are asked about together. Equal requests of the same group are made once. */
const ASKED_TOGETHER = 1_000;

/** The most variances of a period that are asked about, the largest ones. */
const ASKED_MAX = 10_000;

/**
 * Explains the variances of a whole period that the sales' own calculations leave open: by the tax lines that the shop
 * states, then by rates on which sales agree, then by questions, the largest variance first. Results are by key.
 */
export const explainVariances = async (
  ports: ClosePorts,
  variances: readonly OpenVariance[],
  calls: CallBudget,
  advanced: () => void,
): Promise<ReadonlyMap<string, FoundOut>> => {
  const decision = decideRates(variances.flatMap(ballotsOf));
  const found = new Map<string, FoundOut>();
  const left: OpenVariance[] = [];
  for (const open of variances) {
    const claims = provedClaims(open, decision);
    if (claims.length > 0) found.set(open.sale.key, { claims, alternatives: [], isCutShort: false });
    else left.push(open);
  }
  left.sort(largestFirst);
  for (const { sale } of left.slice(ASKED_MAX)) found.set(sale.key, NOT_ASKED);
  for (const batch of batchesOf(left.slice(0, ASKED_MAX), ASKED_TOGETHER)) {
    const answers = await askQuestions(ports, batch, calls);
    for (const [key, answer] of answers) found.set(key, answer);
    advanced();
  }
  return found;
};

const largestFirst = (one: OpenVariance, other: OpenVariance): number => {
  const difference = sizeOf(other) - sizeOf(one);
  if (difference !== 0) return difference;
  return one.sale.key < other.sale.key ? -1 : 1;
};

const sizeOf = ({ sale, expectation }: OpenVariance): number =>
  Math.abs(sale.salesTax - expectation.amount_to_collect);

/** Whether a sale has no rates to compare others with: it is exempt as a whole, or no tax is due at its destination. */
const isRateless = ({ expectation }: OpenVariance): boolean =>
  !expectation.has_nexus || isExempt(expectation);

/**
 * Returns the ballot of a sale. Lines that state a rate are proof in themselves; a sale that a common error explains says
 * nothing about rates.
 */
const ballotsOf = (open: OpenVariance): readonly Ballot[] => {
  if (isRateless(open)) return [];
  const own = openModelOf(open);
  const stated = statedClaims(open, own);
  const isProved = isProvedBy(open, stated);
  const gap = stated.find(({ code }) => code === 'R26');
  if (isProved ? gap === undefined : !isWithoutReason(open)) return [];
  const rates = gap && { rates: gap.rates, ...(gap.isNewer && { isNewer: true }) };
  return [ballotOf(open, own, isProved ? rates : undefined)].filter((ballot) => ballot !== undefined);
};

const provedClaims = (open: OpenVariance, decision: RateDecision): readonly RateClaim[] => {
  if (isRateless(open)) return [];
  const own = openModelOf(open);
  const stated = statedClaims(open, own);
  if (isProvedBy(open, stated)) return stated;
  if (!isWithoutReason(open)) return [];
  const claims = [...impliedClaims(open, own, decision), ...claimsOfOrder(open, decision)];
  return claims.find((each) => isProvedBy(open, each)) ?? [];
};

const impliedClaims = (...given: Parameters<typeof claimsOf>): readonly (readonly RateClaim[])[] =>
  claimsOf(...given).map((claim) => [claim]);

/** Returns the claims for the order of which a sale gives a part back. */
const claimsOfOrder = (
  { sale, whole, gap }: OpenVariance,
  decision: RateDecision,
): readonly (readonly RateClaim[])[] => {
  const { partOf: order } = sale;
  if (!order || !whole?.has_nexus) return [];
  const open = { sale: { ...sale, ...order, taxLines: order.taxLines ?? [] }, expectation: whole, gap };
  const own = openModelOf(open);
  return [statedClaims(open, own), ...impliedClaims(open, own, decision)];
};

const isProvedBy = (open: OpenVariance, claims: readonly RateClaim[]): boolean => {
  const given = { ...varianceCase(open, 'claims'), whole: open.whole, claims };
  return claims.length > 0 && (explainVariance(given).claims?.length ?? 0) > 0;
};
