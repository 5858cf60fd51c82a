import { explainVariance, isExempt } from '../judge/explain-variance.ts';
import {
  ballotsOf,
  type ImpliedRate,
  impliedRates,
  type OpenVariance,
  openModelOf,
  type RateClaim,
} from '../judge/rate-claim.ts';
import { claimsOf, statedClaims } from '../judge/stated-rates.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
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
  const found = new Map<string, FoundOut>();
  const take = ({ sale }: OpenVariance, claims: readonly RateClaim[]): boolean => {
    if (claims.length > 0) found.set(sale.key, { claims, alternatives: [], isCutShort: false });
    return claims.length > 0;
  };
  const unstated = variances.filter((open) => !take(open, claimsByLines(open)));
  const open = new Set(unstated.filter((each) => !isRateless(each) && isWithoutReason(each)));
  const implied = impliedRates([...open].flatMap((each) => ballotsOf(each, openModelOf(each))));
  const left = unstated.filter((each) => !open.has(each) || !take(each, claimsByRates(each, implied)));
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

/** Returns what the shop's tax lines claim, if it proves what was collected: lines that state a rate are proof in themselves. */
const claimsByLines = (open: OpenVariance): readonly RateClaim[] => {
  const stated = isRateless(open) ? [] : statedClaims(open, openModelOf(open));
  return isProvedBy(open, stated) ? stated : [];
};

/** Returns the first claim about the rates of a place, or of the order that a sale gives a part back of, that is proved. */
const claimsByRates = (open: OpenVariance, implied: readonly ImpliedRate[]): readonly RateClaim[] => {
  const claims = claimsOf(open, openModelOf(open), implied).map((claim) => [claim]);
  return [...claims, ...claimsOfOrder(open, implied)].find((each) => isProvedBy(open, each)) ?? [];
};

const claimsOfOrder = (
  { sale, whole, gap }: OpenVariance,
  implied: readonly ImpliedRate[],
): readonly (readonly RateClaim[])[] => {
  const { partOf: order } = sale;
  if (!order || !whole?.has_nexus) return [];
  const open = { sale: { ...sale, ...order, taxLines: order.taxLines ?? [] }, expectation: whole, gap };
  const own = openModelOf(open);
  return [statedClaims(open, own), ...claimsOf(open, own, implied).map((claim) => [claim])];
};

const isProvedBy = (open: OpenVariance, claims: readonly RateClaim[]): boolean => {
  const given = { ...varianceCase(open, 'claims'), whole: open.whole, claims };
  return claims.length > 0 && (explainVariance(given).claims?.length ?? 0) > 0;
};
