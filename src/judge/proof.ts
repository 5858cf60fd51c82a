import { add, formatMoney, type Money, subtract, sum, ZERO, ZERO_RATE } from '../kernel/money.ts';
import type { TaxLine } from '../sales/sale.ts';
import {
  type AnsweredHypothesis,
  commonShopErrors,
  type Hypothesis,
  insteadOf,
  lineChangesOf,
  ROUNDINGS,
  type SaleAmounts,
} from './hypothesis.ts';
import { claimed, type RateClaim, totalRate } from './rate-claim.ts';
import type { Reason } from './reason.ts';
import { type TaxModel, taxOf, topRates } from './tax-model.ts';

/** Reasons that lead from the expected to the collected tax, and the resulting model. */
export type Proof = {
  readonly reasons: readonly Reason[];
  readonly model: TaxModel;
  /** The claims that the proof uses, if any. */
  readonly claims: readonly RateClaim[];
};

export type ProofInput = SaleAmounts & {
  readonly expected: TaxModel;
  readonly collected: Money;
  readonly alternatives: readonly AnsweredHypothesis[];
  /** Rates of the shop with evidence besides the amount; together they count as one change. */
  readonly claims: readonly RateClaim[];
  readonly taxLines: readonly TaxLine[];
  /**
   * `claims` tries only the claims; `brief` leaves out what is credible only after all questions were answered: a line or
   * an alternative together with a rounding.
   */
  readonly search: 'claims' | 'brief' | 'full';
};

/**
 * Find the first change that gives exactly the collected tax, by itself or with another rounding; what there is evidence
 * for besides the amount comes first. No two changes are combined: with enough combinations, chance would explain every
 * amount.
 */
export const prove = (given: ProofInput): Proof | undefined => {
  const claims = given.claims.map(claimed);
  if (claims.length > 0)
    for (const run of [claims, ...ROUNDINGS.map((rounding) => [...claims, rounding])]) {
      const proof = proofBy(run, given);
      if (proof) return { ...proof, claims: given.claims };
    }
  if (given.search === 'claims') return undefined;
  for (const run of runsOf(given)) {
    const proof = proofBy(run, given);
    if (proof) return { ...proof, claims: [] };
  }
  return undefined;
};

/** Yield the runs of changes to try, likeliest first. */
function* runsOf(given: ProofInput): Generator<readonly Hypothesis[]> {
  const { alternatives, expected } = given;
  const errors = commonShopErrors(given);
  const asked = alternatives.map((alternative) => insteadOf(alternative, given.lines));
  const uncategorized = asked.find(({ code }) => code === 'R05')?.apply(expected)?.model;
  const lines = lineChangesOf(given, uncategorized);

  for (const change of [...ROUNDINGS, ...roundedAsStated(given), ...errors]) yield [change];
  for (const rounding of ROUNDINGS) for (const error of errors) yield [error, rounding];
  for (const change of [...lines, ...asked]) yield [change];
  if (given.search === 'brief') return;
  for (const change of [...asked, ...lines]) for (const rounding of ROUNDINGS) yield [change, rounding];
}

const proofBy = (
  run: readonly Hypothesis[],
  { expected, collected }: ProofInput,
): Omit<Proof, 'claims'> | undefined => {
  let model = expected;
  let before = taxOf(expected);
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

/**
 * The cents that are apart where the shop's tax lines state the rate due, whatever levels they divide it among, and each is
 * rounded by itself on each line of the sale.
 */
const roundedAsStated = ({ taxLines, collected, expected, lines }: ProofInput): readonly Hypothesis[] => {
  const rates = taxLines.map(({ rate }) => rate ?? ZERO_RATE);
  const isDue = !rates.includes(ZERO_RATE) && totalRate(rates) === totalRate(topRates(expected).values());
  const cents = subtract(collected, taxOf(expected));
  const most = Math.ceil((taxLines.length * (lines.length + 1)) / 2);
  if (!isDue || sum(taxLines.map(({ amount }) => amount)) !== collected || Math.abs(cents) > most) return [];
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
