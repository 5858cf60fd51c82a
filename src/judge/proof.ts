import { formatMoney, type Money, subtract, sum, ZERO, ZERO_RATE } from '../kernel/money.ts';
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
import { claimed, dividedBy, type LevelRates, type RateClaim, totalRate } from './rate-claim.ts';
import type { Reason, ReasonCode } from './reason.ts';
import { isSame, LEVELS, type Level, type TaxModel, taxOf, topRates, unroundedOf } from './tax-model.ts';

/** One change on the way from the expected to the collected tax, with the model after it. */
export type Step = { readonly code: ReasonCode; readonly what: string; readonly model: TaxModel };

/** Reasons that lead from the expected to the collected tax, and the resulting model. */
export type Proof = {
  readonly reasons: readonly Reason[];
  readonly model: TaxModel;
  readonly steps: readonly Step[];
  /** The claims that the proof uses, if any. */
  readonly claims: readonly RateClaim[];
};

export type ProofInput = SaleAmounts & {
  readonly expected: TaxModel;
  readonly collected: Money;
  readonly alternatives: readonly AnsweredHypothesis[];
  /** Rates of the shop with evidence besides the amount; together they count as one change. */
  readonly claims: readonly RateClaim[];
  /** How the shop's tax lines divide the rate of the answer, if they state it. */
  readonly division: LevelRates | undefined;
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
  const { alternatives, division, expected } = given;
  const roundings = [...ROUNDINGS, ...roundingsAsStated(division)];
  const errors = commonShopErrors(given);
  const asked = alternatives.map((alternative) => insteadOf(alternative, given.lines));
  const uncategorized = asked.find(({ code }) => code === 'R05')?.apply(expected)?.model;
  const lines = lineChangesOf(given, uncategorized);

  for (const change of [...roundings, ...errors]) yield [change];
  for (const rounding of roundings) for (const error of errors) yield [error, rounding];
  for (const change of [...lines, ...asked]) yield [change];
  if (given.search === 'brief') return;
  for (const change of [...asked, ...lines]) for (const rounding of roundings) yield [change, rounding];
}

const proofBy = (
  run: readonly Hypothesis[],
  { expected, collected }: ProofInput,
): Omit<Proof, 'claims'> | undefined => {
  let model = expected;
  let before = taxOf(expected);
  const reasons: Reason[] = [];
  const steps: Step[] = [];
  for (const { code, apply } of run) {
    const changed = apply(model);
    if (!changed) return undefined;
    const tax = taxOf(changed.model);
    const amount = subtract(tax, before);
    const proof = `recomputed ${changed.what}: ${formatMoney(tax)}`;
    if (amount !== ZERO) reasons.push({ code, amount, proof });
    steps.push({ code, ...changed });
    model = changed.model;
    before = tax;
  }
  return before === collected ? { reasons, model, steps } : undefined;
};

/**
 * How a shop's tax lines divide the rate of a calculation: the same in all, among other jurisdictions. `undefined` if they
 * come to another rate or another tax, or state no rates. Each line is rounded by itself, so that a second line of a
 * level takes the place of a level without any.
 */
export const statedDivision = (
  taxLines: readonly TaxLine[],
  collected: Money,
  expected: TaxModel,
): LevelRates | undefined => {
  const rates = taxLines.map(({ rate }) => rate ?? ZERO_RATE);
  const own = topRates(expected);
  if (rates.includes(ZERO_RATE) || totalRate(rates) !== totalRate(own.values())) return undefined;
  if (sum(taxLines.map(({ amount }) => amount)) !== collected || taxLines.length > LEVELS.length)
    return undefined;
  const divided = new Map<Level, (typeof rates)[number]>();
  for (const [index, { kind }] of taxLines.entries()) {
    const named = LEVELS.find((level) => level === kind && !divided.has(level));
    const level = named ?? LEVELS.findLast((each) => !divided.has(each));
    if (level) divided.set(level, rates[index] ?? ZERO_RATE);
  }
  return Object.fromEntries(LEVELS.map((level) => [level, divided.get(level) ?? ZERO_RATE]));
};

/** Round the tax as the shop's lines divide it, where that changes no more than the rounding. */
export const roundingsAsStated = (division: LevelRates | undefined): readonly Hypothesis[] =>
  division === undefined
    ? []
    : (['jurisdiction', 'line and jurisdiction'] as const).map((grain) => ({
        code: 'R01',
        apply: (model) => {
          const divided = { ...model, units: dividedBy(division, model), grain };
          return isSame(unroundedOf(divided), unroundedOf(model))
            ? { model: divided, what: `rounded per ${grain}, as its tax lines divide it` }
            : undefined;
        },
      }));
