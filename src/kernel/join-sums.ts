import { add, type Money } from './money.ts';

/** Sums by name, as plain data. */
export type KeptSums<Sums> = readonly (readonly [string, Sums])[];

/** The names of the fields that are whole numbers: counts or cents. */
export type FigureOf<Sums> = { [Name in keyof Sums]-?: Sums[Name] extends number ? Name : never }[keyof Sums];

/** Return a copy of the sums with these figures of the others added. */
export const joined = <Sums extends object>(
  sums: Sums,
  others: Sums,
  figures: readonly FigureOf<Sums>[],
): Sums => {
  const both = { ...sums };
  for (const figure of figures)
    both[figure] = add(sums[figure] as Money, others[figure] as Money) as Sums[typeof figure];
  return both;
};

/** Add the sums of another part to those with the same names. Their other fields are the same in both. */
export const joinSums = <Sums extends object>(
  into: Map<string, Sums>,
  others: KeptSums<Sums>,
  figures: readonly FigureOf<Sums>[],
): void => {
  for (const [name, sums] of others) {
    const known = into.get(name);
    into.set(name, known ? joined(known, sums, figures) : sums);
  }
};
