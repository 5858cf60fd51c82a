import { CONTRADICTED } from '../../../sales/record-id.ts';
import type { SetAside } from '../../../sales/sale.ts';
import { seenAndMissing } from '../../../workspace/load-sales.ts';
import { forgetRejects, rejectedBefore } from '../../../workspace/set-asides.ts';
import type { OpenLoad } from '../reading/channel-load.ts';

/** The earlier reason of each record that occurred more than once, by key. */
export type Contradictions = ReadonlyMap<string, SetAside['reason']>;

/**
 * Delete the rejected records that were found again, as sales or set aside. If no sale is missing, delete all of them:
 * a person who removes only rejected rows from an export has settled them. A record that occurred more than once may
 * now be found once, as a sale. If other sales of the days that were read are missing, its second copy is probably
 * missing too, so the record stays rejected.
 *
 * @param conflicts records of which this load has several copies
 * @returns the records that stay rejected for this reason
 */
export const forgetFoundRejects = async (
  load: OpenLoad,
  conflicts: ReadonlySet<string>,
): Promise<Contradictions> => {
  const { since, missing } = await seenAndMissing(load);
  // An export of only the last days does not contain the days before them, and nothing is missing in it.
  const isCut = missing !== null && since !== null && missing >= since;
  const left = isCut ? await contradictedBefore(load) : [];
  const held = new Map([...left].filter(([key]) => !conflicts.has(key)));
  await forgetRejects(load, [...held.keys()], missing === null ? 'all' : 'found');
  return held;
};

/**
 * Returns the records that occurred more than once before this load, and of which it has found a copy, but not in a
 * newer file.
 */
const contradictedBefore = async (load: OpenLoad): Promise<Contradictions> => {
  const rows = await rejectedBefore(load, CONTRADICTED);
  const age = new Map(load.sources.map(({ name }, index) => [name, index]));
  return new Map(
    rows
      .filter(({ file, place }) => (place ?? 0) <= (age.get(file) ?? 0))
      .map(({ key, body }) => [key, (JSON.parse(body) as SetAside).reason]),
  );
};
