import type { TaxResult } from '../../contract/tax-result.ts';
import { formatMoney, type Money, subtract, ZERO } from '../../kernel/money.ts';
import type { Reason, ReasonCode } from './reason.ts';
import { ROUNDING_GRAINS, stateOnly, type TaxModel, taxModelOf, taxOf, withFreight } from './tax-model.ts';

/** What is known of one sale when its variance is explained. All amounts positive, refunds included. */
export type VarianceCase = {
  readonly collected: Money;
  readonly shipping: Money;
  readonly expectation: TaxResult;
  /** Whether a marketplace remits the tax of the sale, so that nothing is due from the seller. */
  readonly isMarketplace?: boolean;
  /** The same sale calculated again with one thing changed, as far as it was asked for. */
  readonly alternatives: readonly Alternative[];
};

/** A calculation with one thing changed: the reason it would prove, and what was changed. */
export type Alternative = { readonly code: ReasonCode; readonly what: string; readonly result: TaxResult };

/**
 * Explain collected minus expected to the cent. Each reason is a recomputation with one thing changed, or two where
 * one does not suffice, that gives exactly what was collected. What nothing explains is R99.
 */
export const explainVariance = (given: VarianceCase): readonly Reason[] => {
  const { collected, expectation } = given;
  const expected = expectation.amount_to_collect;
  const variance = subtract(collected, expected);
  if (variance === ZERO) return [];
  if (given.isMarketplace) {
    return [
      {
        code: 'R09',
        amount: variance,
        proof: 'the marketplace remits the tax of this sale, so nothing was due',
      },
    ];
  }
  if (!expectation.has_nexus) {
    return [
      {
        code: 'R10',
        amount: variance,
        proof: 'no nexus in the destination on the day of the sale, so nothing was due',
      },
    ];
  }
  if (collected === ZERO) {
    return [
      { code: 'R11', amount: variance, proof: `nexus in the destination; ${formatMoney(expected)} was due` },
    ];
  }
  return provenBy(changesOf(given), expected, collected) ?? unexplained(variance);
};

const unexplained = (variance: Money): readonly Reason[] => [
  {
    code: 'R99',
    amount: variance,
    proof: 'no recomputation with one or two things changed gives what was collected',
  },
];

/** Whether nothing that is known so far explains the whole of it. */
export const isUnexplained = (reasons: readonly Reason[]): boolean =>
  reasons.some(({ code }) => code === 'R99');

/** One thing that a shop may do differently, as a change to the model of the calculation. */
type Change = {
  readonly code: ReasonCode;
  readonly apply: (model: TaxModel) => { readonly model: TaxModel; readonly what: string } | undefined;
};

type Step = { readonly code: ReasonCode; readonly tax: Money; readonly what: string };

const changesOf = ({ expectation, alternatives, shipping }: VarianceCase): Hypotheses => {
  const freight: Change = {
    code: 'R06',
    apply: (model) => {
      if (shipping === ZERO) return undefined;
      const { model: changed, taxed } = withFreight(model, shipping);
      return { model: changed, what: taxed ? 'with shipping taxed' : 'with shipping untaxed' };
    },
  };
  const state: Change = {
    code: 'R02',
    apply: (model) => ({ model: stateOnly(model), what: 'at the state rate alone' }),
  };
  const asked = alternatives.map(({ code, what, result }): Change => {
    const model = taxModelOf(result);
    return { code, apply: () => model && { model, what } };
  });
  return { model: taxModelOf(expectation), changes: [freight, ...asked, state] };
};

type Hypotheses = { readonly model: TaxModel | undefined; readonly changes: readonly Change[] };

/** The shortest run of changes that ends at exactly the collected tax, each step with what it adds. Rounding is one. */
const provenBy = (
  { model, changes }: Hypotheses,
  expected: Money,
  collected: Money,
): readonly Reason[] | undefined => {
  if (!model || taxOf(model, 'order') !== expected) return undefined;
  const singles = changes.map((change) => [change]);
  const pairs = changes.flatMap((first) =>
    changes.filter((second) => second !== first).map((second) => [first, second]),
  );
  const runs = ROUNDING_GRAINS.flatMap((grain) =>
    [[], ...singles, ...pairs].map((run) => ({
      run,
      grain,
      length: run.length + (grain === 'order' ? 0 : 1),
    })),
  );
  for (const { run, grain } of runs.sort((left, right) => left.length - right.length)) {
    const steps = stepsOf(model, run, grain);
    if (steps && steps.at(-1)?.tax === collected) return reasonsOf(steps, expected);
  }
  return undefined;
};

const stepsOf = (
  start: TaxModel,
  run: readonly Change[],
  grain: (typeof ROUNDING_GRAINS)[number],
): readonly Step[] | undefined => {
  let model = start;
  const steps: Step[] = [];
  for (const change of run) {
    const changed = change.apply(model);
    if (!changed) return undefined;
    model = changed.model;
    steps.push({ code: change.code, tax: taxOf(model, 'order'), what: changed.what });
  }
  if (grain !== 'order') steps.push({ code: 'R01', tax: taxOf(model, grain), what: `rounded per ${grain}` });
  return steps;
};

const reasonsOf = (steps: readonly Step[], expected: Money): readonly Reason[] => {
  let before = expected;
  const reasons: Reason[] = [];
  for (const { code, tax, what } of steps) {
    const amount = subtract(tax, before);
    before = tax;
    if (amount !== ZERO) reasons.push({ code, amount, proof: `recomputed ${what}: ${formatMoney(tax)}` });
  }
  return reasons;
};
