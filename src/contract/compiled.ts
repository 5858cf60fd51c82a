import * as z from 'zod';

/** Generating the code takes as long as reading some hundred inputs, which a small month does not have. */
const USES_BEFORE_COMPILING = 200;

const uses = new WeakMap<z.ZodType, number>();
const compilations = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The schema; from its 200th use on with generated code for what is right, which is some times as fast. What is wrong
 * it reads as before.
 */
export const compiled = <Schema extends z.ZodType>(schema: Schema): Schema => {
  const known = compilations.get(schema);
  if (known) return known as Schema;
  const used = (uses.get(schema) ?? 0) + 1;
  uses.set(schema, used);
  if (used < USES_BEFORE_COMPILING) return schema;
  const made = z.compile(schema);
  compilations.set(schema, made);
  return made;
};
