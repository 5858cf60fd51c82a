import { CONTRADICTED } from '../../../sales/record-id.ts';
import type { SetAside } from '../../../sales/sale.ts';
import { seenAndMissing } from '../../../workspace/load-sales.ts';
import { forgetRejects, rejectedBefore } from '../../../workspace/set-asides.ts';
import type { OpenLoad } from '../reading/channel-load.ts';

/** What was said of a record that stood more than once, by its key. */
export type Contradictions = ReadonlyMap<string, SetAside['reason']>;

/**
 * Forget the rejected records that are found again, as sales or set aside. Where no sale is missing all are forgotten: who
 * takes nothing but rejected rows out of an export has settled them. Of a record that stood more than once a copy is found as
 * a sale: where sales are missing of the days that were read, the other copy is missing like them. Gives those.
 *
 * @param conflicts records of which this load has several copies
 */
export const forgetFoundRejects = async (
  load: OpenLoad,
  conflicts: ReadonlySet<string>,
): Promise<Contradictions> => {
  const { since, missing } = await seenAndMissing(load);
  // An export of the last days lacks those before them, and nothing is missing in it.
  const isCut = missing !== null && since !== null && missing >= since;
  const left = isCut ? await contradictedBefore(load) : [];
  const held = new Map([...left].filter(([key]) => !conflicts.has(key)));
  await forgetRejects(load, [...held.keys()], missing === null ? 'all' : 'found');
  return held;
};

/** The records that stood more than once before this load, and of which it has found a copy, but not in a newer file. */
const contradictedBefore = async (load: OpenLoad): Promise<Contradictions> => {
  const rows = await rejectedBefore(load, CONTRADICTED);
  const age = new Map(load.sources.map(({ name }, index) => [name, index]));
  return new Map(
    rows
      .filter(({ file, place }) => (place ?? 0) <= (age.get(file) ?? 0))
      .map(({ key, body }) => [key, (JSON.parse(body) as SetAside).reason]),
  );
};
