import * as z from 'zod';

/**
 * The closed set of expressions in a source profile. Each can be read aloud by an auditor; none is executed as code.
 */

/** The name of a column, as the header spells it. */
export const Column = z.string().min(1);

/** Text read from a record: a column, a fixed text, or the first of several that is not blank. */
export type TextExpression =
  | string
  | { readonly constant: string }
  | { readonly first: readonly TextExpression[] };

export const TextExpression: z.ZodType<TextExpression> = z.lazy(() =>
  z.union([
    Column,
    z.strictObject({ constant: z.string() }),
    z.strictObject({ first: z.array(TextExpression).min(1) }),
  ]),
);

/**
 * An amount of dollars read from a record. A blank cell is no amount unless `orZero` says that it is zero.
 *
 * - `first`: the first part that is not blank; `firstNonZero`: the first part that is neither blank nor zero, or zero
 * - `sumColumns`: the sum of numbered columns, `#` for the number (`Tax # Value`); blanks and absent columns are zero
 * - `sumRows`: the sum over all rows of the record; every other form reads its first row
 * - `once`: a cell of the whole record that may stand on one row or be repeated on all of them; blanks and zeros aside
 *   it has one value
 */
export type AmountExpression =
  | string
  | { readonly constant: string }
  | { readonly orZero: AmountExpression }
  | { readonly sum: readonly AmountExpression[] }
  | { readonly subtract: readonly [AmountExpression, AmountExpression] }
  | { readonly negate: AmountExpression }
  | { readonly first: readonly AmountExpression[] }
  | { readonly firstNonZero: readonly AmountExpression[] }
  | { readonly sumColumns: string }
  | { readonly sumRows: AmountExpression }
  | { readonly once: string };

export const AmountExpression: z.ZodType<AmountExpression> = z.lazy(() =>
  z.union([
    Column,
    z.strictObject({ constant: z.string().regex(/^-?\d+(\.\d{1,4})?$/) }),
    z.strictObject({ orZero: AmountExpression }),
    z.strictObject({ sum: z.array(AmountExpression).min(1) }),
    z.strictObject({ subtract: z.tuple([AmountExpression, AmountExpression]) }),
    z.strictObject({ negate: AmountExpression }),
    z.strictObject({ first: z.array(AmountExpression).min(1) }),
    z.strictObject({ firstNonZero: z.array(AmountExpression).min(1) }),
    z.strictObject({ sumColumns: z.string().includes('#') }),
    z.strictObject({ sumRows: AmountExpression }),
    z.strictObject({ once: Column }),
  ]),
);

/** A regular expression that a profile may use, matched in any case. */
export const Pattern = z.string().refine((text) => {
  try {
    return new RegExp(text, 'iu') instanceof RegExp;
  } catch {
    return false;
  }
}, 'must be a regular expression');

/** A test on one cell, or on the sign of an amount. Exactly one of the forms is given. */
export const Condition = z.union([
  z.strictObject({ column: Column, in: z.array(z.string()).min(1) }),
  z.strictObject({ column: Column, is: z.enum(['filled', 'blank']) }),
  z.strictObject({ column: Column, matches: Pattern }),
  z.strictObject({ amount: AmountExpression, sign: z.enum(['positive', 'negative', 'zero', 'not zero']) }),
]);
export type Condition = z.output<typeof Condition>;
