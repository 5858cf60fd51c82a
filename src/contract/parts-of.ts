/** Entries of a list that are read at a time. */
const PART_LENGTH = 100;

/** A body with a part of one of its lists, and where in the list that part begins. */
export type BodyPart = { readonly body: object; readonly list: string; readonly offset: number };

/**
 * A body part by part: with a hundred entries of one list at a time, and no more than that of any other, so that a
 * reader can stop before all of a long list is read. A body without a long list has no parts.
 */
export function* partsOf(body: object): Generator<BodyPart> {
  const lists = Object.entries(body).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const isLong = ([, entries]: readonly [string, readonly unknown[]]) => entries.length > PART_LENGTH;
  const long = lists.filter(isLong);
  const short = Object.fromEntries(long.map(([list, entries]) => [list, entries.slice(0, PART_LENGTH)]));
  for (const [list, entries] of long)
    for (let offset = 0; offset < entries.length; offset += PART_LENGTH) {
      const part = entries.slice(offset, offset + PART_LENGTH);
      yield { body: { ...body, ...short, [list]: part }, list, offset };
    }
}
