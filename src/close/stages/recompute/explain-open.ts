import type { FilingPeriod } from '../../../kernel/period.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import { type Ballot, ballotOf } from '../../reconcile/ballot.ts';
import { claimsOf } from '../../reconcile/claims-of.ts';
import { explainVariance, isExempt } from '../../reconcile/explain-variance.ts';
import { decideRates, type RateDecision } from '../../reconcile/implied-rates.ts';
import { openModelOf } from '../../reconcile/open-variance.ts';
import type { LevelRates, RateClaim } from '../../reconcile/rate-claim.ts';
import { statedClaims } from '../../reconcile/stated-rates.ts';
import { type CalculatedSale, UNEXPLAINED } from '../../workspace/expectation-of.ts';
import { keepPage, readPage } from '../../workspace/stage-pages.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { pageInput } from '../page-input.ts';
import { askQuestions, type Questioning } from './ask-questions.ts';
import { type OpenPages, openHeads, openPagesOf, type StoredVariance } from './open-variances.ts';

/** Variances that are asked about together: those that share a question are mostly among them. */
const ASKED_TOGETHER = 1_000;

/** Variances that are held in memory to be asked about in the order of their size; further ones come page by page. */
const HELD_MAX = 10_000;

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
  const { workspace } = ports;
  const slot = JSON.stringify([period.label]);
  const explained = await readPage(workspace, 'explained', slot);
  if (!ports.recompute && explained?.open === 0 && explained.input === (await openDigest(ports, period)))
    return 0;
  const pages = await openPagesOf(ports, period, HELD_MAX);
  const ballots: Ballot[] = [];
  for await (const { variances } of pages.all()) {
    for (const open of variances) ballots.push(...ballotsOf(open));
    advanced(0);
  }
  const left = await claimRates(pages, decideRates(ballots), advanced);
  const largest = left.sort((one, other) => other.size - one.size || (one.key < other.key ? -1 : 1));
  const held = largest.slice(0, HELD_MAX).map(({ key }) => key);
  const rest = new Set(largest.slice(HELD_MAX).map(({ key }) => key));
  const found = new Map<string, CalculatedSale>();
  const ask = async (open: readonly StoredVariance[]): Promise<void> => {
    for (const row of await askQuestions(ports, open, questioning)) found.set(row.key, row);
    advanced(0);
  };
  const variances = await heldVariances(pages, new Set(held));
  for (const batch of batchesOf(held, ASKED_TOGETHER))
    await ask(batch.flatMap((key) => variances.get(key) ?? []));
  let cutShort = 0;
  for await (const page of pages.all()) {
    await ask(page.variances.filter(({ sale }) => rest.has(sale.key)));
    const rows = page.variances.flatMap(({ sale }) => found.get(sale.key) ?? []);
    await pages.keep(page, rows);
    cutShort += rows.filter(({ detail }) => detail !== UNEXPLAINED).length;
  }
  await pages.kept();
  const input = await openDigest(ports, period);
  await keepPage(workspace, 'explained', slot, { input, open: cutShort, rows: [] });
  return cutShort;
};

const heldVariances = async (
  pages: OpenPages,
  keys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, StoredVariance>> => {
  const held = new Map<string, StoredVariance>();
  for await (const { variances } of pages.all())
    for (const open of variances) if (keys.has(open.sale.key)) held.set(open.sale.key, open);
  return held;
};

/** Digest of what explains the pages with open variances: while it is what it was, nothing is asked again. */
const openDigest = async (ports: ClosePorts, period: FilingPeriod): Promise<string> => {
  const heads = await openHeads(ports.workspace, period);
  return pageInput(
    ports,
    'explain',
    heads.map(({ slot, digest }) => [slot, digest]),
  );
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

/** Keep the claims that are proved; returns the sales that none explains, by how large their variances are. */
const claimRates = async (
  pages: OpenPages,
  decision: RateDecision,
  advanced: Advanced,
): Promise<{ readonly key: string; readonly size: number }[]> => {
  const left: { readonly key: string; readonly size: number }[] = [];
  for await (const page of pages.all()) {
    const rows = page.variances.flatMap((open) => {
      const claims = provedClaims(open, decision);
      const size = Math.abs(open.sale.salesTax - open.expectation.amount_to_collect);
      if (claims.length === 0) left.push({ key: open.sale.key, size });
      return JSON.stringify(claims) === JSON.stringify(open.row.claims)
        ? []
        : [{ ...open.row, claims, alternatives: [], detail: UNEXPLAINED }];
    });
    await pages.keep(page, rows);
    advanced(0);
  }
  return left;
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
