import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import { Pattern } from './expression.ts';

/** Words, and where a real export was seen to have them; without that they are unproved. */
const Row = z.strictObject({
  seen: z.string().min(3).optional(),
  words: z.array(z.string().regex(/^[^A-Z]+$/, 'must be in small letters')).min(1),
});
const Words = z.array(Row).transform((rows) => rows.flatMap(({ words }) => words));

/** A name of a tax, as a regular expression. */
const Form = z.strictObject({
  kind: z.enum(['country', 'state', 'county', 'city', 'special']),
  form: Pattern,
});
const Forms = z.array(Form).min(1);

const SaleWords = z.strictObject({
  pickup: z.strictObject({ whole: Words, unclear: Words }),
  sellers: z.strictObject({ facilitators: Words, unclear: Words, own: Words }),
  fees: z.array(
    Row.extend({
      kind: z.string(),
      sign: z.enum(['positive', 'negative']),
    }),
  ),
  countries: z.record(z.string(), z.array(z.string())),
  entities: z.record(z.string(), z.string()),
  taxes: z.strictObject({
    levels: Forms,
    words: Pattern,
    whole: Forms,
    occupation: Pattern,
    forms: Forms,
  }),
});
export type SaleWords = z.output<typeof SaleWords>;

/** The words that come with Tieout. */
export const data = (): SaleWords =>
  SaleWords.parse(parse(readFileSync(new URL('./sale-words.yaml', import.meta.url), 'utf8')));
