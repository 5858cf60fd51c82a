import { isDeepStrictEqual } from 'node:util';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import type { FoundOut } from '../../period-sales/expectation-of.ts';
import { type Ballot, ballotOf } from '../../reconcile/ballot.ts';
import { claimsOf } from '../../reconcile/claims-of.ts';
import { explainVariance, isExempt } from '../../reconcile/explain-variance.ts';
import { decideRates, type RateDecision } from '../../reconcile/implied-rates.ts';
import { openModelOf } from '../../reconcile/open-variance.ts';
import type { RateClaim } from '../../reconcile/rate-claim.ts';
import { statedClaims } from '../../reconcile/stated-rates.ts';
import { dropPages, keepPage, readPage } from '../../workspace/stage-pages.ts';
import { pageInput } from '../inputs/page-input.ts';
import { type Advanced, type ClosePorts, isEmbedded } from '../run/close-ports.ts';
import { askQuestions, type Questioning } from './ask-questions.ts';
import { ANSWERS_REMEMBERED } from './calculation-cache.ts';
import { type CitiesOfZip, citiesAt } from './cities-of-zip.ts';
import {
  isWithoutReason,
  keepFound,
  type OpenPages,
  openPagesOf,
  type StoredVariance,
  varianceCase,
} from './open-variances.ts';

/** Variances that are asked about together. Most that share a question are in the same group. */
const ASKED_TOGETHER = 1_000;

/** The most variances of a period that are kept in memory, about 40 MB; with more, their pages are read again. */
const HELD_MAX = 4_000;

/** The most variances of which the largest are asked about first. Further ones are asked about page by page. */
const LARGEST_MAX = 10_000;

/** The last explanation of a period's variances. */
type Explained = {
  /** The most questions that explaining all of them takes when answers are not stored. */
  readonly questions: number;
};

/**
 * Explain the variances of a period that the sales' own calculations leave open. The result for a sale stays valid
 * while none of its inputs changes. But if the cap does not cover all questions of the period, all are asked again, so
 * that the cap covers the same ones as in a first close.
 *
 * Returns how many variances were not fully asked about, because the cap or the budget was reached.
 */
export const explainOpen = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { calls, cities }: Questioning,
  advanced: Advanced,
): Promise<number> => {
  const slot = JSON.stringify([period.label]);
  const input = pageInput(ports, 'explain', null);
  const last = await readPage<Explained>(ports.workspace, 'explained', slot);
  const explained = async (isKnown: boolean, { before, left }: { before: number; left: number }) => {
    await dropPages(ports.workspace, 'explained', [slot]);
    const own = { ...calls, asked: 0, left };
    const open = await explainAll(ports, period, { input, isKnown, calls: own, cities }, advanced);
    calls.asked += own.asked;
    if (!isEmbedded(ports)) calls.left -= own.asked;
    const rows: readonly Explained[] = [{ questions: isEmbedded(ports) ? before + own.asked : 0 }];
    await keepPage(ports.workspace, 'explained', slot, { input, open, rows });
    return open;
  };
  const before = last?.rows[0]?.questions ?? 0;
  // With more questions than answers fit in memory, some are calculated and counted twice.
  const left = Math.min(calls.left, ANSWERS_REMEMBERED) - before;
  const isCounted = isEmbedded(ports) && ports.maxCalculations !== undefined;
  const isKnown = last?.input === input && last.open === 0 && left >= 0 && !isCounted && !ports.recompute;
  if (isKnown && (await explained(true, { before, left })) === 0) return 0;
  return explained(false, { before: 0, left: calls.left });
};

type Explaining = Questioning & {
  /** Digest of the common inputs of all results. */
  readonly input: string;
  /** Whether earlier results are reused. */
  readonly isKnown: boolean;
};

/**
 * Explains variances by the tax lines that the shop states, then by rates on which sales agree, then by questions, the
 * largest variance first, and last by rates on which copies of a few sales agree. Each sale casts a ballot, the period decides once, and the result is stored with the
 * sale. Nothing is requested that arithmetic can answer.
 */
const explainAll = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { input, isKnown, ...questioning }: Explaining,
  advanced: Advanced,
): Promise<number> => {
  const pages = await openPagesOf(ports, period, {
    input: isKnown ? input : undefined,
    heldMax: HELD_MAX,
  });
  const ballots: Ballot[] = [];
  let asksCities = false;
  for await (const { variances } of pages()) {
    for (const open of variances) {
      ballots.push(...ballotsOf(open));
      asksCities ||= open.found?.cities !== undefined;
    }
    advanced(0);
  }
  const cities = asksCities ? await questioning.cities() : undefined;
  const found = new Map<string, FoundOut>();
  const left: { readonly key: string; readonly slot: string; readonly size: number }[] = [];
  const decision = decideRates(ballots);
  const sure = withoutCopies(decision);
  const hasCopies = sure.implied.length < decision.implied.length;
  const lastClaims = (open: StoredVariance): readonly RateClaim[] =>
    hasCopies && !mayLackRate(open) ? provedClaims(open, decision) : [];
  for await (const { slot, variances } of pages()) {
    for (const open of variances) {
      const { key } = open.sale;
      const claims = provedClaims(open, mayLackRate(open) ? decision : sure);
      if (claims.length > 0) {
        if (!areSame(claims, open.found?.claims))
          found.set(key, { claims, alternatives: [], isCutShort: false });
      } else if (!isAsked(open, lastClaims(open), cities))
        left.push({ key, slot, size: Math.abs(open.sale.salesTax - open.expectation.amount_to_collect) });
    }
    advanced(0);
  }
  const largest = left.sort((one, other) => other.size - one.size || (one.key < other.key ? -1 : 1));
  const rest = new Set(largest.slice(LARGEST_MAX).map(({ key }) => key));
  const ask = async (open: readonly StoredVariance[]): Promise<void> => {
    for (const [key, answer] of await askQuestions(ports, open, questioning, lastClaims))
      found.set(key, answer);
    advanced(0);
  };
  for (const batch of batchesOf(largest.slice(0, LARGEST_MAX), ASKED_TOGETHER)) {
    const variances = await variancesOn(pages, new Set(batch.map(({ slot }) => slot)));
    await ask(batch.flatMap(({ key }) => variances.get(key) ?? []));
  }
  for await (const page of pages()) {
    await ask(page.variances.filter(({ sale }) => rest.has(sale.key)));
    if (page.variances.some(({ sale }) => found.has(sale.key)))
      await keepFound(ports, page.slot, input, found);
  }
  return [...found.values()].filter(({ isCutShort }) => isCutShort).length;
};

/**
 * Returns a decision without the rates that only copies of a few sales prove. These come after the questions, unless the
 * tax content has a gap, since a rate that it lacks is likelier than an error of the seller.
 */
const withoutCopies = (decision: RateDecision): RateDecision => ({
  ...decision,
  implied: decision.implied.filter(({ isOfCopies }) => !isOfCopies),
});

/** Whether the content may have no rate of the place at all. That a rate it has is out of date is less likely than an error. */
const mayLackRate = ({ gap }: StoredVariance): boolean => gap !== undefined && gap.span === undefined;

/** Whether every question that would be asked about a sale now was already asked, with the same claims to fall back on. */
const isAsked = (
  { sale, found }: StoredVariance,
  claims: readonly RateClaim[],
  cities: Awaited<ReturnType<CitiesOfZip>> | undefined,
): boolean =>
  found !== undefined &&
  areSame(found.claims, claims) &&
  !found.isCutShort &&
  (found.cities === undefined || isDeepStrictEqual(found.cities, citiesAt(sale, cities)));

const areSame = (claims: readonly RateClaim[], known: readonly RateClaim[] | undefined): boolean =>
  JSON.stringify(claims) === JSON.stringify(known);

/** Returns the variances on the pages in these slots, by key. */
const variancesOn = async (
  pages: OpenPages,
  slots: ReadonlySet<string>,
): Promise<ReadonlyMap<string, StoredVariance>> => {
  const found = new Map<string, StoredVariance>();
  for await (const { variances } of pages(slots))
    for (const open of variances) found.set(open.sale.key, open);
  return found;
};

/** Whether a sale has no rates to compare others with: it is exempt as a whole, or no tax is due at its destination. */
const isRateless = ({ expectation }: StoredVariance): boolean =>
  !expectation.has_nexus || isExempt(expectation);

/**
 * Returns the ballot of a sale. Lines that state a rate are proof in themselves; a sale that one or two common errors
 * explain says nothing about rates.
 */
const ballotsOf = (open: StoredVariance): readonly Ballot[] => {
  if (isRateless(open)) return [];
  const own = openModelOf(open);
  const stated = statedClaims(open, own);
  const isProved = isProvedBy(open, stated);
  const gap = stated.find(({ code }) => code === 'R26');
  if (isProved ? gap === undefined : !isWithoutReason(open)) return [];
  const rates = gap && { rates: gap.rates, ...(gap.isNewer && { isNewer: true }) };
  return [ballotOf(open, own, isProved ? rates : undefined)].filter((ballot) => ballot !== undefined);
};

const provedClaims = (open: StoredVariance, decision: RateDecision): readonly RateClaim[] => {
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
  { sale, whole, gap }: StoredVariance,
  decision: RateDecision,
): readonly (readonly RateClaim[])[] => {
  const { partOf: order } = sale;
  if (!order || !whole?.has_nexus) return [];
  const open = { sale: { ...sale, ...order, taxLines: order.taxLines ?? [] }, expectation: whole, gap };
  const own = openModelOf(open);
  return [statedClaims(open, own), ...impliedClaims(open, own, decision)];
};

const isProvedBy = (open: StoredVariance, claims: readonly RateClaim[]): boolean => {
  const given = { ...varianceCase(open, 'claims'), whole: open.whole, claims };
  return claims.length > 0 && (explainVariance(given).claims?.length ?? 0) > 0;
};
