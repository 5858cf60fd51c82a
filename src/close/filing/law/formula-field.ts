import * as z from 'zod';
import type { Expression } from '../expression/expression.ts';
import { parseExpression } from '../expression/parse-expression.ts';

/** A line's formula as it is written, and what it says. */
export type Formula = { readonly text: string; readonly expression: Expression };

/** A formula in a data file. What cannot be read is an issue of the file, with the place in the formula. */
export const FormulaField = z.string().transform((text, context): Formula => {
  try {
    return { text, expression: parseExpression(text) };
  } catch (error) {
    context.issues.push({ code: 'custom', message: (error as Error).message, input: text });
    return z.NEVER;
  }
});
