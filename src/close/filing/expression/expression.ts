/**
 * What a line of a return is made of. A closed language: figures of the period, other lines of the same return, dated
 * rates, totals of schedules; added, taken off, multiplied by a rate, compared, rounded. Nothing else can be said.
 */
export type Expression =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'figure'; readonly name: string }
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'rate'; readonly name: string }
  | { readonly kind: 'schedule'; readonly schedule: string; readonly column: 'taxable' | 'tax' }
  /** The taxable amount of those sales which the state itself taxes at this rate. */
  | { readonly kind: 'taxable-at'; readonly rate: string }
  | { readonly kind: 'sum'; readonly terms: readonly Term[] }
  | { readonly kind: 'product'; readonly amount: Expression; readonly rate: Expression }
  | { readonly kind: 'least' | 'greatest'; readonly of: readonly Expression[] }
  | { readonly kind: 'round'; readonly to: RoundTo; readonly of: Expression };

export type Term = { readonly sign: 1 | -1; readonly of: Expression };

/** Amounts are rounded to cents or to whole dollars, half away from zero. */
export type RoundTo = 'cents' | 'dollars';

/** The expression and everything in it, outermost first. */
export function* partsOf(expression: Expression): Generator<Expression> {
  yield expression;
  switch (expression.kind) {
    case 'sum':
      for (const { of } of expression.terms) yield* partsOf(of);
      break;
    case 'product':
      yield* partsOf(expression.amount);
      yield* partsOf(expression.rate);
      break;
    case 'least':
    case 'greatest':
      for (const of of expression.of) yield* partsOf(of);
      break;
    case 'round':
      yield* partsOf(expression.of);
      break;
    default:
  }
}

/** What an expression stands for. Rates can be added to rates, amounts to amounts, and an amount taken times a rate. */
export const dimensionOf = (expression: Expression): 'amount' | 'rate' => {
  switch (expression.kind) {
    case 'rate':
      return 'rate';
    case 'sum': {
      const [first] = expression.terms;
      return first ? dimensionOf(first.of) : 'amount';
    }
    default:
      return 'amount';
  }
};
