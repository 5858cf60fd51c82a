import type { ContentGap } from '../../contract/content-coverage.ts';
import type { TaxResult } from '../../contract/tax-result.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { formatMoney, type Money, subtract, ZERO } from '../../kernel/money.ts';
import {
  type AnsweredHypothesis,
  commonFreightErrors,
  commonShopErrors,
  type Hypothesis,
  insteadOf,
  lineChangesOf,
  ROUNDINGS,
  type SaleAmounts,
} from './hypothesis.ts';
import { claimed, type RateClaim } from './rate-claim.ts';
import type { Reason, ReasonCode } from './reason.ts';
import { type TaxModel, taxModelOf, taxOf, unroundedOf } from './tax-model.ts';

/** Reasons that lead from the expected tax to the collected one, and the model at which they arrive. */
type Proof = {
  readonly reasons: readonly Reason[];
  readonly model: TaxModel;
  /** The claims that it rests on, as far as it does. */
  readonly claims: readonly RateClaim[];
};

type ProofInput = SaleAmounts & {
  readonly expected: TaxModel;
  readonly collected: Money;
  readonly alternatives: readonly AnsweredHypothesis[];
  /** Rates of the shop for which there is evidence beside the amount: together they are one change. */
  readonly claims: readonly RateClaim[];
  /**
   * `claims` tries the claims only; `brief` leaves out what is only believed when everything has been asked for: a line
   * or an alternative together with a habit.
   */
  readonly search: 'claims' | 'brief' | 'full';
};

/** The first run of changes that arrives at exactly the collected tax. */
const prove = (given: ProofInput): Proof | undefined => {
  const due = taxOf(given.expected);
  for (const run of claimRunsOf(given)) {
    const proof = proofBy(run, given, due);
    if (proof) return { ...proof, claims: given.claims };
  }
  if (given.search === 'claims') return undefined;
  for (const run of runsOf(given)) {
    const proof = proofBy(run, given, due);
    if (proof) return { ...proof, claims: [] };
  }
  return undefined;
};

/**
 * What there is evidence for is tried before what only the amount speaks for, by itself or together with a habit. A habit
 * that sets rates would put them in the place of the claimed ones.
 */
function* claimRunsOf(given: ProofInput): Generator<readonly Hypothesis[]> {
  if (given.claims.length === 0) return;
  const claims = given.claims.map((claim) => claimed(claim, given));
  yield claims;
  for (const habit of [...ROUNDINGS, ...commonFreightErrors(given), ...commonShopErrors(given)])
    if (habit.code !== 'R02') yield [...claims, habit];
}

/**
 * What is tried, likeliest first; `docs/reasons.md` gives the order in words. At most two things at once, and one of
 * the two is always a habit: with any two, chance would explain every amount.
 */
function* runsOf(given: ProofInput): Generator<readonly Hypothesis[]> {
  const freight = commonFreightErrors(given);
  const others = commonShopErrors(given);
  const habits = [...freight, ...others];
  const asked = given.alternatives.map((alternative) => insteadOf(alternative, given));
  const uncategorized = asked.find(({ code }) => code === 'R05')?.apply(given.expected)?.model;
  const lines = lineChangesOf(given, uncategorized);

  for (const change of [...ROUNDINGS, ...habits]) yield [change];
  for (const rounding of ROUNDINGS) for (const habit of habits) yield [habit, rounding];
  for (const habit of freight) for (const other of others) yield [habit, other];
  for (const change of [...lines, ...asked]) yield [change];
  if (given.search === 'brief') return;
  yield* pairsOf(others);
  for (const change of asked) for (const habit of [...habits, ...ROUNDINGS]) yield [change, habit];
  for (const change of lines) for (const rounding of ROUNDINGS) yield [change, rounding];
}

function* pairsOf(changes: readonly Hypothesis[]): Generator<readonly Hypothesis[]> {
  for (const [index, first] of changes.entries())
    for (const second of changes.slice(index + 1)) yield [first, second];
}

const proofBy = (
  run: readonly Hypothesis[],
  { expected, collected }: ProofInput,
  due: Money,
): Omit<Proof, 'claims'> | undefined => {
  let model = expected;
  let before = due;
  const reasons: Reason[] = [];
  for (const { code, apply } of run) {
    const changed = apply(model);
    if (!changed) return undefined;
    const tax = taxOf(changed.model);
    const amount = subtract(tax, before);
    const proof = `recomputed ${changed.what}: ${formatMoney(tax)}`;
    if (amount !== ZERO) reasons.push({ code, amount, proof });
    model = changed.model;
    before = tax;
  }
  return before === collected ? { reasons, model } : undefined;
};

/** What is known of one sale when its variance is explained. All amounts positive, refunds included. */
export type VarianceInput = SaleAmounts & {
  readonly kind: 'order' | 'refund';
  readonly collected: Money;
  readonly expectation: TaxResult;
  /** The same sale calculated again with one thing changed, as far as it was asked for. */
  readonly alternatives: readonly AnsweredHypothesis[];
  /** Rates of the shop for which there is evidence beside the amount. */
  readonly claims?: readonly RateClaim[];
  /** Whether a marketplace remits the tax of the sale, so that nothing is due from the seller. */
  readonly isMarketplace?: boolean;
  /** Whether the call budget was spent before every alternative was asked for. */
  readonly isCutShort?: boolean;
  /** Whether the export calls the sale exempt, whatever the service made of it. */
  readonly isClaimedExempt?: boolean;
  /** The first day of the duty to collect, where that lies inside the period. */
  readonly registeredInPeriod?: CalendarDate | undefined;
  /** What the tax content lacks at the place of the sale. */
  readonly gap?: ContentGap | undefined;
  /** The tax that a person set by hand, and why. */
  readonly override?: { readonly tax: Money; readonly why: string } | undefined;
  /** See `ToProve`. */
  readonly search?: ProofInput['search'];
};

/** Why collected and expected differ, and the calculation that was proved to be the shop's, where one was. */
export type Explained = {
  readonly reasons: readonly Reason[];
  readonly model?: Proof['model'];
  /** The claims that were proved. */
  readonly claims?: readonly RateClaim[];
};

/**
 * Explain collected minus expected to the cent. Where nothing was due, or nothing was charged, that alone is the
 * reason; everything else is a recomputation with one thing changed, or two where one does not suffice, that gives
 * exactly what was collected. What nothing explains is R99.
 */
export const explainVariance = (given: VarianceInput): Explained => {
  const variance = subtract(given.collected, given.expectation.amount_to_collect);
  if (variance === ZERO) return { reasons: [] };
  const whole = (code: ReasonCode, proof: string): Explained => ({
    reasons: [{ code, amount: variance, proof }],
  });
  if (given.isMarketplace)
    return whole('R09', 'the marketplace remits the tax of this sale, so nothing was due');
  if (!given.expectation.has_nexus) return withoutNexus(given, whole);
  if (given.kind === 'refund' && isWithinCent(given))
    return whole('R01', 'within a cent of the unrounded tax, as what is left of the tax of an order can be');
  if (given.collected === ZERO) return chargedNothing(given, whole);
  return (
    proofOf(given) ??
    ((isExempt(given.expectation) && whole('R07', 'the sale is exempt, so nothing was due')) ||
      (given.override?.tax === given.collected && whole('R23', `set by hand: ${given.override.why}`)) ||
      whole('R99', given.isCutShort === true ? CUT_SHORT : `${NOTHING_FITS}${lackText(given, variance)}`))
  );
};

const NOTHING_FITS = 'no recomputation with one or two things changed gives what was collected';

const CUT_SHORT =
  'not every recomputation was asked for: the call budget (`service.maxCalculations`, --max-calculations) was spent';

/** Too much may be charged, or a rate missing. Few sales that state no tax by jurisdiction do not prove which it is. */
const lackText = ({ gap }: Pick<VarianceInput, 'gap'>, variance: Money): string =>
  gap && variance > 0
    ? `; Tieout may lack a rate here (${gap.levels.join(', ')}), and sales that state their tax by jurisdiction, or eight that agree on a rate, would show it`
    : '';

type Whole = (code: ReasonCode, proof: string) => Explained;

const withoutNexus = (given: VarianceInput, whole: Whole): Explained => {
  const asRegistered = given.registeredInPeriod === undefined ? [] : ofCode(given.alternatives, 'R12');
  return (
    (asRegistered.length > 0 && proofOf({ ...given, alternatives: asRegistered })) ||
    whole('R10', 'no nexus in the destination on the day of the sale, so nothing was due')
  );
};

const chargedNothing = (given: VarianceInput, whole: Whole): Explained => {
  const due = formatMoney(given.expectation.amount_to_collect);
  const model = taxModelOf(given.expectation, given.lines);
  const rounding = ROUNDINGS.find(({ apply }) => taxOf(apply(model)?.model ?? model) === ZERO);
  if (rounding) return whole('R01', `recomputed ${rounding.apply(model)?.what}: 0.00`);
  if (given.isClaimedExempt && !isExempt(given.expectation))
    return whole('R08', `called exempt, and no exemption holds; ${due} was due`);
  if (given.registeredInPeriod !== undefined) {
    const since = given.registeredInPeriod;
    return whole('R12', `nexus in the destination since ${since}, inside the period; ${due} was due`);
  }
  return whole('R11', `nexus in the destination; ${due} was due`);
};

/** Parts of an order that are given back add up to its tax, which was rounded once: each can be a cent off its own. */
const isWithinCent = ({ expectation, lines, collected }: VarianceInput): boolean => {
  const { dividend, divisor } = unroundedOf(taxModelOf(expectation, lines));
  const difference = dividend - BigInt(collected) * divisor;
  return difference < divisor && -difference < divisor;
};

const proofOf = (given: VarianceInput): Proof | undefined =>
  prove({
    expected: taxModelOf(given.expectation, given.lines),
    collected: given.collected,
    alternatives: given.alternatives,
    claims: given.claims ?? [],
    shipping: given.shipping,
    lines: given.lines,
    ...(given.amount !== undefined && { amount: given.amount }),
    search: given.search ?? 'full',
  });

const ofCode = (
  alternatives: readonly AnsweredHypothesis[],
  wanted: ReasonCode,
): readonly AnsweredHypothesis[] => alternatives.filter(({ code }) => code === wanted);

const EXEMPTING: ReadonlySet<string | undefined> = new Set(['wholesale', 'government', 'other']);

/** Whether the service freed the sale as a whole. */
export const isExempt = ({ exemption_type: type, amount_to_collect: due }: TaxResult): boolean =>
  EXEMPTING.has(type) && due === ZERO;

/** Whether nothing that is known so far explains the whole of it. */
export const isUnexplained = ({ reasons }: Explained): boolean => reasons.some(({ code }) => code === 'R99');
