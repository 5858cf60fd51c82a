/**
 * Names of fields in the order in which objects have them. Records have few such lists, so what is worked out for one is
 * kept at its end.
 */
export type Shape<Known> = {
  known: Known | undefined;
  /** The step that was taken last: mostly the next object takes it again. */
  lastName: string | undefined;
  last: Shape<Known> | undefined;
  steps: Map<string, Shape<Known>> | undefined;
};

/** The list without names, from which all others are reached. */
export const newShape = <Known>(): Shape<Known> => ({
  known: undefined,
  lastName: undefined,
  last: undefined,
  steps: undefined,
});

/** The list with one name more, where it was met before. */
export const withName = <Known>(shape: Shape<Known>, name: string): Shape<Known> | undefined => {
  if (shape.lastName === name) return shape.last;
  const next = shape.steps?.get(name);
  if (next === undefined) return undefined;
  shape.lastName = name;
  shape.last = next;
  return next;
};

/** The same of a list that is new. */
export const withNewName = <Known>(shape: Shape<Known>, name: string): Shape<Known> => {
  const next = newShape<Known>();
  shape.steps ??= new Map();
  shape.steps.set(name, next);
  shape.lastName = name;
  shape.last = next;
  return next;
};
