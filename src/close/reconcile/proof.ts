import { formatMoney, type Money, subtract, ZERO } from '../../kernel/money.ts';
import type { Step } from './as-its-order.ts';
import { dividedDiscount } from './divided-discount.ts';
import {
  commonFreightErrors,
  dividedFreight,
  freightAtGeneralRates,
  freightInLines,
} from './freight-errors.ts';
import {
  type AnsweredHypothesis,
  aboutOrder,
  commonShopErrors,
  type Hypothesis,
  insteadOf,
  lineChangesOf,
  modelOfAlternative,
  roundingsOf,
  type SaleAmounts,
  withoutCaps,
} from './hypothesis.ts';
import { totalRate } from './open-variance.ts';
import { claimed, type LevelRates, type RateClaim } from './rate-claim.ts';
import type { Reason } from './reason.ts';
import { roundingsAsStated } from './stated-division.ts';
import { type TaxModel, taxOf, topRates } from './tax-model.ts';

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
  /** The same sale by other readings of the law. */
  readonly readings: readonly AnsweredHypothesis[];
  /** Rates of the shop with evidence besides the amount; together they count as one change. */
  readonly claims: readonly RateClaim[];
  /** How the shop's tax lines divide the rate of the answer, if they state it. */
  readonly division: LevelRates | undefined;
  /**
   * `claims` tries only the claims; `brief` leaves out combinations that are credible only after all questions were
   * answered: a line or an alternative together with a habit.
   */
  readonly search: 'claims' | 'brief' | 'full';
};

/** Prove the tax by another reading of the law, rounded once or as shops round it. */
export const proveByReading = (given: ProofInput): Proof | undefined => {
  const due = taxOf(given.expected);
  const readings = readingsFollowed(given)
    .filter((reading) => !isStatedOtherwise(reading, given))
    .map((reading) => insteadOf(reading, given));
  const roundings = otherRoundingsOf(given);
  const rounded = readings.flatMap((reading) => roundings.map((rounding) => [reading, rounding]));
  for (const run of [...readings.map((reading) => [reading]), ...rounded]) {
    const proof = proofBy(run, given, due);
    if (proof) return { ...proof, claims: [] };
  }
  return undefined;
};

/** Whether the shop states other rates than those of a reading, which by themselves give what was collected. */
const isStatedOtherwise = (reading: AnsweredHypothesis, given: ProofInput): boolean => {
  const stated = given.claims.find(({ shared: { by, shop } }) => by === 'lines' && shop !== null);
  const model = modelOfAlternative(reading, given);
  if (!stated || !reading.whole || !model) return false;
  return (
    totalRate(topRates(model).values()) !== stated.shared.shop &&
    proofBy(claimsOf(given), given, taxOf(given.expected)) !== undefined
  );
};

/**
 * The readings of the law that a sale may follow. A refund of a part of an order follows that by which the order was
 * charged, whatever else the shop did to the tax of the order.
 */
const readingsFollowed = (given: ProofInput): readonly AnsweredHypothesis[] => {
  const { partOf, readings } = given;
  if (!partOf || readings.length === 0) return readings;
  const order: ProofInput = { ...given, ...partOf, collected: partOf.salesTax, partOf: undefined };
  const besides = [
    [],
    claimsOf(order),
    ...[...otherRoundingsOf(order), ...commonShopErrors(order)].map((change) => [change]),
  ];
  return readings.filter((reading) => {
    const whole = insteadOf(aboutOrder(reading), order);
    return !reading.whole || besides.some((changes) => proofBy([whole, ...changes], order, ZERO));
  });
};

const allRoundingsOf = (sold: ProofInput): readonly Hypothesis[] => [
  ...roundingsOf(sold),
  ...roundingsAsStated(sold.division),
];

const otherRoundingsOf = (sold: ProofInput): readonly Hypothesis[] => [
  ...allRoundingsOf(sold),
  freightInLines(sold),
  ...dividedFreight(sold),
  ...dividedDiscount(sold),
];

const claimsOf = (given: ProofInput): readonly Hypothesis[] =>
  given.claims.map((claim) => claimed(claim, given));

/** Find the first run of changes that gives exactly the collected tax. */
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
 * Yield the claims, alone, with another reading of the law, and with one habit. Changes with evidence are tried before
 * those that only the amount supports. Habits that set rates are left out, since they would replace the claimed rates.
 */
function* claimRunsOf(given: ProofInput): Generator<readonly Hypothesis[]> {
  if (given.claims.length === 0) return;
  const claims = claimsOf(given);
  yield claims;
  for (const reading of readingsFollowed(given)) yield [insteadOf(reading, given), ...claims];
  for (const habit of [...roundingsOf(given), ...commonFreightErrors(given), ...commonShopErrors(given)])
    if (habit.code !== 'R02') yield [...claims, habit];
}

/**
 * Yield the runs of changes to try, likeliest first; `docs/reasons.md` gives the order in words. A run has at most two
 * changes, and one of the two is always a habit: if any two were allowed, chance would explain every amount.
 */
function* runsOf(given: ProofInput): Generator<readonly Hypothesis[]> {
  const freight = commonFreightErrors(given);
  const others = commonShopErrors(given);
  const habits = [...freight, ...others];
  const asked = given.alternatives.map((alternative) => insteadOf(alternative, given));
  const uncategorized = asked.find(({ code }) => code === 'R05')?.apply(given.expected)?.model;
  const lines = lineChangesOf(given, uncategorized);
  const roundings = allRoundingsOf(given);
  const readings = readingsFollowed(given).map((reading) => insteadOf(reading, given));

  for (const change of [...otherRoundingsOf(given), ...habits]) yield [change];
  for (const rounding of roundings) for (const habit of habits) yield [habit, rounding];
  for (const habit of [...readings, ...freight]) for (const other of others) yield [habit, other];
  if (uncategorized) yield [freightAtGeneralRates(given, uncategorized)];
  for (const change of [withoutCaps(given), ...lines, ...asked]) yield [change];
  if (given.search === 'brief') return;
  yield* pairsOf(others);
  for (const change of asked) for (const habit of [...habits, ...roundings]) yield [change, habit];
  for (const change of lines) for (const rounding of roundings) yield [change, rounding];
}

function* pairsOf(changes: readonly Hypothesis[]): Generator<readonly Hypothesis[]> {
  for (const [index, first] of changes.entries())
    for (const second of changes.slice(index + 1)) yield [first, second];
}

export const proofBy = (
  run: readonly Hypothesis[],
  { expected, collected }: ProofInput,
  due: Money,
): Omit<Proof, 'claims'> | undefined => {
  let model = expected;
  let before = due;
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
