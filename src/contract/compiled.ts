import * as z from 'zod';

const compilations = new WeakMap<z.ZodType, z.ZodType>();

/** The schema with generated code for what is right, some times as fast; what is wrong it reads as before. */
export const compiled = <Schema extends z.ZodType>(schema: Schema): Schema => {
  const known = compilations.get(schema);
  if (known) return known as Schema;
  const made = z.compile(schema);
  compilations.set(schema, made);
  return made;
};
