import type { ContentGap } from '../../contract/content-coverage.ts';
import type { TaxResult } from '../../contract/tax-result.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { formatMoney, type Money, subtract, ZERO } from '../../kernel/money.ts';
import { type AnsweredHypothesis, ROUNDINGS, type SaleAmounts } from './hypothesis.ts';
import { type Proof, type ProofInput, prove } from './prove.ts';
import type { RateClaim } from './rate-claim.ts';
import type { Reason, ReasonCode } from './reason.ts';
import { taxModelOf, taxOf, unroundedOf } from './tax-model.ts';

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
