/**
 * A list of field names in the order in which objects have them. Records have few such lists, so the value computed
 * for a list is kept in `known`.
 */
export type Shape<Known> = {
  known: Known | undefined;
  /** The last step taken: the next object mostly takes the same one. */
  lastName: string | undefined;
  last: Shape<Known> | undefined;
  steps: Map<string, Shape<Known>> | undefined;
};

/** Return the empty list, from which all others are reached. */
export const newShape = <Known>(): Shape<Known> => ({
  known: undefined,
  lastName: undefined,
  last: undefined,
  steps: undefined,
});

/** Return the list with one more name, if it is already known. */
export const withName = <Known>(shape: Shape<Known>, name: string): Shape<Known> | undefined => {
  if (shape.lastName === name) return shape.last;
  const next = shape.steps?.get(name);
  if (next === undefined) return undefined;
  shape.lastName = name;
  shape.last = next;
  return next;
};

/** Add the list with one more name, which is not yet known. */
export const withNewName = <Known>(shape: Shape<Known>, name: string): Shape<Known> => {
  const next = newShape<Known>();
  shape.steps ??= new Map();
  shape.steps.set(name, next);
  shape.lastName = name;
  shape.last = next;
  return next;
};
