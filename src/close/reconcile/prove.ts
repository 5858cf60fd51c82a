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
import type { Reason } from './reason.ts';
import { type TaxModel, taxOf } from './tax-model.ts';

/** Reasons that lead from the expected tax to the collected one, and the model at which they arrive. */
export type Proof = {
  readonly reasons: readonly Reason[];
  readonly model: TaxModel;
  /** The claims that it rests on, as far as it does. */
  readonly claims: readonly RateClaim[];
};

export type ProofInput = SaleAmounts & {
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
export const prove = (given: ProofInput): Proof | undefined => {
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
