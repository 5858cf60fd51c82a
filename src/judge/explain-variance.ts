import { isExempting } from '../certificates/certificate.ts';
import type { TaxResult } from '../contract/tax-result.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { add, formatMoney, type Money, subtract, sum, ZERO, ZERO_RATE } from '../kernel/money.ts';
import type { RefundedPart, Sale } from '../sales/sale.ts';
import {
  type AnsweredHypothesis,
  aboutOrder,
  commonShopErrors,
  type Hypothesis,
  insteadOf,
  lineChangesOf,
  ROUNDINGS,
} from './hypothesis.ts';
import { givenBack, type SoldPart, taxPartsOf } from './part-of-order.ts';
import { claimed, type RateClaim, totalRate } from './rate-claim.ts';
import type { Reason, ReasonCode } from './reason.ts';
import { type TaxModel, taxModelOf, taxOf, topRates, unroundedOf } from './tax-model.ts';

/** The tax that a person set by hand, and why. */
export type SetByHand = {
  readonly tax: Money;
  readonly why: string;
};

/** Everything known about one sale when its variance is explained. All amounts are positive, for refunds too. */
export type VarianceInput = {
  readonly sale: Sale;
  readonly expectation: TaxResult;
  /** The answer about the order that a refund gives a part of back, if it is known. */
  readonly whole?: TaxResult | undefined;
  /** The same sale recalculated with one thing changed, as far as this was requested. */
  readonly alternatives: readonly AnsweredHypothesis[];
  /** Rates of the shop with evidence besides the amount; together they count as one change. */
  readonly claims?: readonly RateClaim[];
  /** Whether a marketplace remits the tax of the sale, so that nothing is due from the seller. */
  readonly isMarketplace?: boolean;
  /** Whether the call budget ran out before every alternative was calculated. */
  readonly isCutShort?: boolean;
  /** Whether the export marks the sale exempt, whether or not the service treated it so. */
  readonly isClaimedExempt?: boolean;
  /** The first day of the duty to collect, if it is inside the period. */
  readonly registeredInPeriod?: CalendarDate | undefined;
  /** The tax that was set by hand for the sale, if it is the tax that was collected. */
  readonly override?: SetByHand | undefined;
  /**
   * `claims` tries only the claims; `brief` leaves out what is credible only after all questions were answered: a line or
   * an alternative together with a rounding.
   */
  readonly search?: 'claims' | 'brief' | 'full';
};

/** Why collected and expected differ, and the proved calculation of the shop, if there is one. */
export type Explained = {
  readonly reasons: readonly Reason[];
  readonly model?: Proof['model'];
  /** The claims that were proved. */
  readonly claims?: readonly RateClaim[];
};

/**
 * Explain collected minus expected to the cent, by no more reasons than a sale has places for. If nothing was due or
 * nothing was charged, that alone is the reason. Every other reason is a recomputation with one change, or with one and
 * another rounding, that gives exactly the collected tax. Anything else is R99.
 */
export const explainVariance = (given: VarianceInput): Explained => {
  const { kind, salesTax } = given.sale;
  const variance = subtract(salesTax, given.expectation.amount_to_collect);
  if (variance === ZERO) return { reasons: [] };
  const whole = (code: ReasonCode, proof: string): Explained => ({
    reasons: [{ code, amount: variance, proof }],
  });
  if (given.isMarketplace)
    return whole('R09', 'the marketplace remits the tax of this sale, so nothing was due');
  if (!given.expectation.has_nexus) return withoutNexus(given, whole);
  if (kind === 'refund' && isWithinCent(given))
    return whole('R01', 'within a cent of the unrounded tax, as what is left of the tax of an order can be');
  if (salesTax === ZERO) return chargedNothing(given, whole);
  return (
    prove(given) ??
    explainedByOrder(given) ??
    ((isExempt(given.expectation) && whole('R07', 'the sale is exempt, so nothing was due')) ||
      (given.override && whole('R23', `set by hand: ${given.override.why}`)) ||
      whole('R99', given.isCutShort ? CUT_SHORT : NOTHING_FITS))
  );
};

type Whole = (code: ReasonCode, proof: string) => Explained;

const withoutNexus = (given: VarianceInput, whole: Whole): Explained => {
  const asRegistered =
    given.registeredInPeriod === undefined ? [] : given.alternatives.filter(({ code }) => code === 'R12');
  return (
    (asRegistered.length > 0 && prove({ ...given, alternatives: asRegistered })) ||
    whole('R10', NO_NEXUS[given.sale.kind])
  );
};

const NO_NEXUS: Readonly<Record<Sale['kind'], string>> = {
  order: 'no nexus there that day, so nothing was due',
  refund:
    'by the registrations as they are now, no nexus in the destination on the day of its order, so nothing was due; if a return paid this tax, claim it from the state',
};

const chargedNothing = (given: VarianceInput, whole: Whole): Explained => {
  const due = formatMoney(given.expectation.amount_to_collect);
  const { kind, lines, partOf } = given.sale;
  const model = taxModelOf(given.expectation, lines);
  const rounding = ROUNDINGS.find(({ apply }) => taxOf(apply(model)?.model ?? model) === ZERO);
  if (rounding) return whole('R01', `recomputed ${rounding.apply(model)?.what}: 0.00`);
  if (kind === 'refund' && partOf && partOf.salesTax > ZERO)
    return leftOf(partOf) < given.expectation.amount_to_collect
      ? whole('R99', `less than ${due} is left of the tax that its order was charged`)
      : whole(
          'R29',
          `its order was charged ${formatMoney(partOf.salesTax)}, and ${due} of it was to be given back`,
        );
  if (given.isClaimedExempt && !isExempt(given.expectation))
    return whole('R08', `called exempt, and no exemption holds; ${due} was due`);
  if (given.registeredInPeriod !== undefined) {
    const since = given.registeredInPeriod;
    return whole('R12', `nexus in the destination since ${since}, inside the period; ${due} was due`);
  }
  return whole('R11', `nexus in the destination; ${due} was due`);
};

/** What refunds before left of the tax that an order was charged. */
const leftOf = ({ salesTax, before }: RefundedPart): Money => subtract(salesTax, before?.salesTax ?? ZERO);

/**
 * Whether a refund is within a cent of its unrounded tax. Partial refunds add up to the tax of the order, which was
 * rounded once, so each can be a cent off.
 */
const isWithinCent = ({ expectation, sale }: VarianceInput): boolean => {
  const { dividend, divisor } = unroundedOf(taxModelOf(expectation, sale.lines));
  const difference = dividend - BigInt(sale.salesTax) * divisor;
  return difference < divisor && -difference < divisor;
};

/** Explain a refund of a part of an order by what explains the tax that the order was charged. */
const explainedByOrder = (given: VarianceInput): Explained | undefined => {
  const { whole } = given;
  const { partOf, ...sale } = given.sale;
  if (sale.kind !== 'refund' || !partOf || !whole?.has_nexus) return undefined;
  const order: VarianceInput = {
    ...given,
    sale: {
      ...sale,
      ...partOf,
      kind: 'order',
      taxLines: partOf.taxLines ?? [],
    },
    expectation: whole,
    alternatives: given.alternatives.map(aboutOrder),
  };
  const proof = partOf.salesTax === whole.amount_to_collect ? TIED_OUT : prove(order);
  if (!proof) return undefined;
  const part =
    sale.amount === ZERO
      ? asOvercharge(sale, subtract(leftOf(partOf), whole.amount_to_collect), proof)
      : asShare({ ...sale, partOf }, given.expectation, {
          ...proof,
          model: proof.model ?? taxModelOf(whole, partOf.lines),
        });
  return part && { ...part, claims: proof.claims };
};

/** What leads to the tax that an order was charged. */
type OrderProof = Pick<Proof, 'reasons' | 'claims'> & Partial<Pick<Proof, 'model'>>;

/** What proves the tax of an order that was charged what was due. */
const TIED_OUT: OrderProof = { reasons: [], claims: [] };

/** Explain a refund of tax alone that gives back no more than is left of what its order was charged too much. */
const asOvercharge = (
  { salesTax }: Pick<Sale, 'salesTax'>,
  left: Money,
  { reasons: [cause] }: OrderProof,
): Pick<Explained, 'reasons'> | undefined =>
  cause && salesTax <= left
    ? {
        reasons: [
          {
            code: cause.code,
            amount: salesTax,
            proof: `gives back ${formatMoney(salesTax)} of what its order was charged too much: ${cause.proof}`,
          },
        ],
      }
    : undefined;

/**
 * Explain a refund of a part of an order by what explains the tax of the order, if it gives back its share of that, but for
 * cents of rounding and dividing.
 */
const asShare = (
  refund: SoldPart,
  expectation: TaxResult,
  { reasons, model }: OrderProof & Pick<Proof, 'model'>,
): Pick<Explained, 'reasons' | 'model'> | undefined => {
  const { salesTax, partOf } = refund;
  if (Math.abs(subtract(salesTax, givenBack(taxPartsOf(model, refund)))) > centsMax(refund)) return undefined;
  const share = `${formatMoney(salesTax)} is its share, to the cent, of the ${formatMoney(partOf.salesTax)} that its order was charged`;
  const [{ code, proof } = CENTS] = reasons.filter((reason) => reason.code !== 'R01');
  const amount = subtract(salesTax, expectation.amount_to_collect);
  return { reasons: [{ code, amount, proof: `${share}${proof === '' ? '' : `: ${proof}`}` }], model };
};

const CENTS = { code: 'R01', proof: '' } as const;

type Proving = VarianceInput & { readonly expected: TaxModel };

/** Reasons that lead from the expected to the collected tax, and the resulting model. */
type Proof = {
  readonly reasons: readonly Reason[];
  readonly model: TaxModel;
  /** The claims that the proof uses, if any. */
  readonly claims: readonly RateClaim[];
};

/**
 * Find the first change that gives exactly the collected tax, by itself or with another rounding; what there is evidence
 * for besides the amount comes first. No two changes are combined: with enough combinations, chance would explain every
 * amount.
 */
const prove = (input: VarianceInput): Proof | undefined => {
  const given: Proving = { ...input, expected: taxModelOf(input.expectation, input.sale.lines) };
  const claims = (given.claims ?? []).map(claimed);
  if (claims.length > 0)
    for (const run of [claims, ...ROUNDINGS.map((rounding) => [...claims, rounding])]) {
      const proof = proofBy(run, given);
      if (proof) return { ...proof, claims: given.claims ?? [] };
    }
  if (given.search === 'claims') return undefined;
  for (const run of runsOf(given)) {
    const proof = proofBy(run, given);
    if (proof) return { ...proof, claims: [] };
  }
  return undefined;
};

/** Yield the runs of changes to try, likeliest first. */
function* runsOf(given: Proving): Generator<readonly Hypothesis[]> {
  const { alternatives, expected, sale } = given;
  const errors = commonShopErrors(sale);
  const asked = alternatives.map((alternative) => insteadOf(alternative, sale.lines));
  const uncategorized = asked.find(({ code }) => code === 'R05')?.apply(expected)?.model;
  const lines = lineChangesOf(sale, uncategorized);

  for (const change of [...ROUNDINGS, ...roundedAsStated(given), ...errors]) yield [change];
  for (const rounding of ROUNDINGS) for (const error of errors) yield [error, rounding];
  for (const change of [...lines, ...asked]) yield [change];
  if (given.search === 'brief') return;
  for (const change of [...asked, ...lines]) for (const rounding of ROUNDINGS) yield [change, rounding];
}

const proofBy = (
  run: readonly Hypothesis[],
  { expected, sale }: Proving,
): Omit<Proof, 'claims'> | undefined => {
  let model = expected;
  let before = taxOf(model);
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
  return before === sale.salesTax ? { reasons, model } : undefined;
};

/**
 * The cents that are apart where the shop's tax lines state the rate due, whatever levels they divide it among, and each is
 * rounded by itself on each line of the sale.
 */
const roundedAsStated = ({ expected, sale }: Proving): readonly Hypothesis[] => {
  const { taxLines, salesTax, lines } = sale;
  const rates = taxLines.map(({ rate }) => rate ?? ZERO_RATE);
  const isDue = !rates.includes(ZERO_RATE) && totalRate(rates) === totalRate(topRates(expected).values());
  const cents = subtract(salesTax, taxOf(expected));
  const most = Math.ceil((taxLines.length * (lines.length + 1)) / 2);
  if (!isDue || sum(taxLines.map(({ amount }) => amount)) !== salesTax || Math.abs(cents) > most) return [];
  return [
    {
      code: 'R01',
      apply: (model) => ({
        model: { ...model, rest: add(model.rest, cents) },
        what: 'with each of its tax lines rounded by itself',
      }),
    },
  ];
};

/** Whether the service exempted the sale as a whole. */
export const isExempt = ({ exemption_type: type, amount_to_collect: due }: TaxResult): boolean =>
  isExempting(type) && due === ZERO;

/** Whether part of the variance is still unexplained. */
export const isUnexplained = ({ reasons }: Explained): boolean => reasons.some(({ code }) => code === 'R99');

const NOTHING_FITS = 'no recomputation with one thing changed gives what was collected';

const CUT_SHORT =
  'not every recomputation was asked for: the limit of questions (`service.maxQuestions`) or the call budget (`service.maxCalculations`, --max-calculations) was reached';

/**
 * The largest difference between a refund and its part of a proved calculation that is still rounding, in cents: half a
 * cent of each line and of shipping, which the last refund of an order can take of all before, and a cent of dividing.
 */
const centsMax = ({ partOf }: SoldPart): number => Math.ceil((partOf.lines.length + 1) / 2) + 1;

/** Why nothing is due from the seller regardless of any calculation; `undefined` if the service must calculate. */
export const nothingDueOf = (
  sale: Pick<Sale, 'exemptionType' | 'shipTo' | 'taxDate'>,
  registrations: readonly {
    readonly state: string;
    readonly since: string;
  }[],
): 'no registration' | 'marketplace' | undefined => {
  if (sale.exemptionType === 'marketplace') return 'marketplace';
  const isRegistered = registrations.some(
    ({ state, since }) => state === sale.shipTo.state && since <= sale.taxDate,
  );
  return isRegistered ? undefined : 'no registration';
};

/** The answer when nothing is due from the seller. */
export const NOTHING_DUE: TaxResult = {
  amount_to_collect: ZERO,
  taxable_amount: ZERO,
  rate: ZERO_RATE,
  has_nexus: false,
  freight_taxable: false,
  tax_source: null,
};
